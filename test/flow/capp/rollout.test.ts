// A Capp's way to Ready on a real Temporal: what it costs, and what users read meanwhile.
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('rollout');

story('a first rollout is Ready within 25 events', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  // Not by asking the workflow: a query during a local activity costs a task more.
  await eventually(() => testbed.world.condition('Ready')?.status === 'True' || undefined);
  const history = await testbed.history();
  expect(history.events?.at(-1)?.upsertWorkflowSearchAttributesEventAttributes).toBeTruthy();
  expect(testbed.world.calls).toEqual(['choose', 'apply', 'awaitVerdict', 'publish']);
  expect(testbed.world.condition('Ready')).toMatchObject({ status: 'True', observedGeneration: 1 });
  expect(history.events?.length).toBeLessThanOrEqual(25);
  await record('first-rollout', history);
});

story('an edit is shipped and watched under its own stamp', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  testbed.world.edit();
  await testbed.ring('spec');
  await testbed.until(
    ({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Ready',
  );
  await eventually(() => testbed.world.condition('Ready')?.observedGeneration === 2 || undefined);
  expect(testbed.world.condition('Ready')?.status).toBe('True');
  await record('an-edit', await testbed.history());
});

story('a decision that comes late is waited for, and the reason can be read meanwhile', async (testbed) => {
  testbed.world.decision = null;
  await testbed.startHub();
  await testbed.startAgent('site-2');
  await testbed.ring('spec');
  await eventually(() => testbed.world.condition('Ready')?.reason === 'NoDecision' || undefined);
  testbed.world.decision = 'site-2';
  await testbed.ring('decision');
  await testbed.untilReady();
  expect(testbed.world.published.at(-1)?.serving).toBe('site-2');
  await record('a-late-decision', await testbed.history());
});

story('a rollout on its way is published, and its verdict still awaited', async (testbed) => {
  testbed.world.say('Progressing');
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => testbed.world.condition('Ready')?.reason === 'Deploying' || undefined);
  testbed.world.say('Failed', { reason: 'ImageNeverReady' });
  await eventually(() => testbed.world.condition('Ready')?.reason === 'ImageNeverReady' || undefined);
  testbed.world.say('Ready');
  await testbed.untilReady();
  await record('a-slow-rollout', await testbed.history());
});

story(
  'a rollout that misses its deadline is stalled, and told when it is Ready after all',
  async (testbed) => {
    testbed.world.say('Failed');
    if (testbed.world.capp !== null) testbed.world.capp.deadlineSeconds = 1;
    await testbed.startHub();
    await testbed.startAgent();
    await testbed.ring('spec');
    await eventually(() => testbed.world.condition('Stalled')?.status === 'True' || undefined);
    await eventually(() => testbed.world.questions() === 0 || undefined);
    testbed.world.say('Ready');
    await testbed.ring('site');
    await testbed.untilReady();
    await eventually(() => testbed.world.condition('Stalled')?.status === 'False' || undefined);
    await record('a-missed-deadline', await testbed.history());
  },
);

story('a ring about nothing new costs one look', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  const before = await testbed.history();
  const [calls, published] = [testbed.world.calls.length, testbed.world.published.length];
  await testbed.ring('spec');
  // Not by asking the workflow: a query during a local activity costs a task more.
  await eventually(() => testbed.world.calls.length > calls || undefined);
  const after = await testbed.history();
  expect(testbed.world.calls.slice(calls)).toEqual(['apply']);
  expect(testbed.world.published.slice(published + 1)).toEqual([]);
  const cost = (after.events ?? []).slice(before.events?.length ?? 0);
  // The signal and the look; how many tasks the server makes of them is its own affair.
  expect(cost.filter((event) => !isOfATask(event))).toHaveLength(2);
  await record('a-duplicate-ring', after);
});

type Event = NonNullable<History['events']>[number];

const isOfATask = (event: Event): boolean =>
  Object.keys(event).some((field) => field.startsWith('workflowTask'));
