// Somebody queries a workflow all the while: each query may begin a workflow task of its own in the middle of
// a local activity. What is noted of such a life is replayed all the same.
import { Worker } from '@temporalio/worker';
import { eventually } from '../../../testbed/eventually.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { workflowBundle } from '../../support/flow/bundle.ts';
import { whileQueried } from '../../support/flow/queried.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('queried');
const LIVES = 4;

const workflowIdOf = ({ capp: { namespace, name } }: FlowTestbed): string => cappWorkflowId(namespace, name);

story(
  'a Capp that is queried while it is placed and deleted has histories that can be replayed',
  async (testbed) => {
    const { world } = testbed;
    await testbed.startHub();
    await testbed.startAgent();
    for (let life = 1; life <= LIVES; life += 1) {
      const uid = `uid-${life}`;
      world.capp = { uid, generation: 1, deleting: false, missing: null, deadlineSeconds: 600 };
      await testbed.ring('spec');
      await whileQueried(testbed.client.workflow.getHandle(workflowIdOf(testbed)), async () => {
        await testbed.until(
          ({ capp, copies }) => capp.uid === uid && copies['site-1']?.finding?.verdict === 'Ready',
        );
        if (world.capp !== null) world.capp.deleting = true;
        await testbed.ring('meta');
        await testbed.until(({ leaving }) => Object.keys(leaving).length > 0);
        world.works.clear();
        await testbed.ring('work');
        await eventually(async () => ((await testbed.describe()).status === 'COMPLETED' ? true : undefined));
      });
      const bundle = await workflowBundle();
      await Worker.runReplayHistory(
        { workflowBundle: bundle },
        await testbed.history(),
        workflowIdOf(testbed),
      );
    }
  },
);
