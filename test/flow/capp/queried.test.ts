// Somebody queries a workflow all the while: each query may begin a workflow task of its own in the middle of
// a local activity. What is noted of such a life is replayed all the same.
import { Worker } from '@temporalio/worker';
import { eventually } from '../../../testbed/eventually.ts';
import { view } from '../../../workflows/messages.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { workflowBundle } from '../../support/flow/bundle.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('queried');
const LIVES = 4;

const workflowIdOf = ({ capp: { namespace, name } }: FlowTestbed): string => cappWorkflowId(namespace, name);

/** Queries one after the other, in so many lines, until what is played has ended. */
async function whileQueried(testbed: FlowTestbed, play: () => Promise<void>): Promise<void> {
  let isOver = false;
  const handle = testbed.client.workflow.getHandle(workflowIdOf(testbed));
  const line = async (): Promise<void> => {
    while (!isOver) await handle.query(view).catch(() => undefined);
  };
  const lines = [1, 2, 3].map(line);
  try {
    await play();
  } finally {
    isOver = true;
    await Promise.all(lines);
  }
}

story(
  'a Capp that is queried while it is placed, edited and deleted has histories that can be replayed',
  async (testbed) => {
    const { world } = testbed;
    await testbed.startHub();
    await testbed.startAgent();
    for (let life = 1; life <= LIVES; life += 1) {
      const uid = `uid-${life}`;
      world.capp = { uid, generation: 1, deleting: false, missing: null, deadlineSeconds: 600 };
      await testbed.ring('spec');
      await whileQueried(testbed, async () => {
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
