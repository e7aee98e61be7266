// How a Capp's workflow ends, and what comes after it.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('ending');

async function untilReadyOnce(testbed: FlowTestbed): Promise<void> {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
}

/** Deletes the Capp and waits until its sites are cleaning up. */
async function untilLeaving(testbed: FlowTestbed): Promise<void> {
  if (testbed.world.capp !== null) testbed.world.capp.deleting = true;
  await testbed.ring('meta');
  await testbed.until(({ leaving }) => Object.keys(leaving).length > 0);
}

story('a deleted Capp ends when its sites are clean, and not before', async (testbed) => {
  await untilReadyOnce(testbed);
  await untilLeaving(testbed);
  await eventually(() => (testbed.world.condition('Ready')?.reason === 'Leaving' ? true : undefined));
  testbed.world.works.clear();
  await testbed.ring('work');
  await eventually(async () => ((await testbed.describe()).status === 'COMPLETED' ? true : undefined));
  expect(testbed.world.capp).toBeNull();
  await record('a-deletion', await testbed.history());
});

story(
  'another object under the same name is looked at anew, and its copy is shipped in place',
  async (testbed) => {
    await untilReadyOnce(testbed);
    const { runId } = await testbed.describe();
    testbed.world.capp = {
      uid: 'uid-2',
      generation: 1,
      deleting: false,
      missing: null,
      deadlineSeconds: 600,
    };
    await testbed.ring('spec');
    await testbed.until(
      ({ capp, copies }) => capp.uid === 'uid-2' && copies['site-1']?.finding?.verdict === 'Ready',
    );
    expect([...testbed.world.works.values()]).toMatchObject([
      { stamp: expect.stringMatching(/^uid-2/) as unknown, incarnation: 1 },
    ]);
    await record('a-namesake', await testbed.history(runId));
  },
);

story('a stale ring for a Capp that is gone ends at once', async (testbed) => {
  testbed.world.capp = null;
  await testbed.startHub();
  await testbed.ring('meta');
  await eventually(async () => ((await testbed.describe()).status === 'COMPLETED' ? true : undefined));
  expect(testbed.world.calls).toEqual(['choose', 'retire']);
  await record('a-stale-ring', await testbed.history());
});

story('a namesake that comes while its forerunner closes is never lost', async (testbed) => {
  const { world } = testbed;
  await untilReadyOnce(testbed);
  let refused = 0;
  for (let life = 2; life <= 11 || (refused === 0 && life <= 40); life += 1) {
    await untilLeaving(testbed);
    const { runId } = await testbed.describe();
    world.works.clear();
    const retire = world.hold('retire');
    await testbed.ring('work');
    await retire.arrived;
    // A ring that comes before the end is refused for sure; the others race with it.
    if (life === 2) await testbed.ring('spec');
    retire.release();
    await eventually(() => world.capp === null || undefined, { everyMs: 1 });
    world.capp = { uid: `uid-${life}`, generation: 1, deleting: false, missing: null, deadlineSeconds: 600 };
    await testbed.ring('spec');
    await eventually(() =>
      testbed.until(
        ({ capp, copies }) => capp.uid === `uid-${life}` && copies['site-1']?.finding?.verdict === 'Ready',
      ),
    );
    const { events } = await testbed.history(runId);
    refused +=
      events?.filter(
        ({ workflowTaskFailedEventAttributes: failed }) => Number(failed?.cause) === UNHANDLED_COMMAND,
      ).length ?? 0;
  }
  // The server refuses to close a workflow that has not heard everything: that this was met makes the test
  // worth its name.
  expect(refused).toBeGreaterThan(0);
});

/** `WorkflowTaskFailedCause` of Temporal's API. */
const UNHANDLED_COMMAND = 1;
