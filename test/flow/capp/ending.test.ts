// How a Capp's workflow ends, and what comes after it.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { Stage } from '../../support/testbeds/flow.ts';

const story = storiesOf('ending');

async function untilReadyOnce(stage: Stage): Promise<void> {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
}

/** Deletes the Capp and waits until its sites are cleaning up. */
async function untilLeaving(stage: Stage): Promise<void> {
  if (stage.world.capp !== null) stage.world.capp.deleting = true;
  await stage.ring('meta');
  await stage.until(({ leaving }) => Object.keys(leaving).length > 0);
}

story('a deleted Capp ends when its sites are clean, and not before', async (stage) => {
  await untilReadyOnce(stage);
  await untilLeaving(stage);
  expect(stage.world.condition('Ready')).toMatchObject({ status: 'False', reason: 'Leaving' });
  stage.world.works.clear();
  await stage.ring('work');
  await eventually(async () => ((await stage.describe()).status === 'COMPLETED' ? true : undefined));
  expect(stage.world.capp).toBeNull();
  await record('a-deletion', await stage.history());
});

story('another object under the same name is looked at anew, and its copy is shipped in place', async (stage) => {
  await untilReadyOnce(stage);
  const { runId } = await stage.describe();
  stage.world.capp = { uid: 'uid-2', generation: 1, deleting: false, missing: null, deadlineSeconds: 600 };
  await stage.ring('spec');
  await stage.until(({ capp, copies }) => capp.uid === 'uid-2' && copies['site-1']?.finding?.verdict === 'Ready');
  expect([...stage.world.works.values()]).toMatchObject([{ stamp: expect.stringMatching(/^uid-2/) as unknown, incarnation: 1 }]);
  await record('a-namesake', await stage.history(runId));
});

story('a stale ring for a Capp that is gone ends at once', async (stage) => {
  stage.world.capp = null;
  await stage.startHub();
  await stage.ring('meta');
  await eventually(async () => ((await stage.describe()).status === 'COMPLETED' ? true : undefined));
  expect(stage.world.deeds).toEqual(['choose', 'retire']);
  await record('a-stale-ring', await stage.history());
});

story('a namesake that comes while its forerunner closes is never lost', async (stage) => {
  const { world } = stage;
  await untilReadyOnce(stage);
  let refused = 0;
  for (let life = 2; life <= 11 || (refused === 0 && life <= 40); life += 1) {
    await untilLeaving(stage);
    const { runId } = await stage.describe();
    world.works.clear();
    const retire = world.hold('retire');
    await stage.ring('work');
    await retire.arrived;
    retire.release();
    await eventually(() => world.capp === null || undefined, { everyMs: 1 });
    world.capp = { uid: `uid-${life}`, generation: 1, deleting: false, missing: null, deadlineSeconds: 600 };
    await stage.ring('spec');
    await eventually(() => stage.until(({ capp, copies }) => capp.uid === `uid-${life}` && copies['site-1']?.finding?.verdict === 'Ready'));
    const { events } = await stage.history(runId);
    refused += events?.filter(({ workflowTaskFailedEventAttributes: failed }) => Number(failed?.cause) === UNHANDLED_COMMAND).length ?? 0;
  }
  // The server refuses to close a workflow that has not heard everything: that this was met makes the test worth its name.
  expect(refused).toBeGreaterThan(0);
});

/** `WorkflowTaskFailedCause` of Temporal's API. */
const UNHANDLED_COMMAND = 1;
