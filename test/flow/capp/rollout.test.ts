// A Capp's way to Ready on a real Temporal: what it costs, and what users read meanwhile.
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('rollout');

story('a first rollout is Ready within 25 events', async (stage) => {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  // Not by asking the workflow: a query during a local activity costs a task more.
  await eventually(() => stage.world.condition('Ready')?.status === 'True' || undefined);
  const history = await stage.history();
  expect(history.events?.at(-1)?.upsertWorkflowSearchAttributesEventAttributes).toBeTruthy();
  expect(stage.world.deeds).toEqual(['choose', 'apply', 'awaitVerdict', 'publish']);
  expect(stage.world.condition('Ready')).toMatchObject({ status: 'True', observedGeneration: 1 });
  expect(history.events?.length).toBeLessThanOrEqual(25);
  await record('first-rollout', history);
});

story('an edit is shipped and watched under its own stamp', async (stage) => {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  stage.world.edit();
  await stage.ring('spec');
  await stage.until(({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Ready');
  await eventually(() => stage.world.condition('Ready')?.observedGeneration === 2 || undefined);
  expect(stage.world.condition('Ready')?.status).toBe('True');
  await record('an-edit', await stage.history());
});

story('a decision that comes late is waited for, and the reason can be read meanwhile', async (stage) => {
  stage.world.decision = null;
  await stage.startHub();
  await stage.startAgent('site-2');
  await stage.ring('spec');
  await eventually(() => stage.world.condition('Ready')?.reason === 'NoDecision' || undefined);
  stage.world.decision = 'site-2';
  await stage.ring('decision');
  await stage.untilReady();
  expect(stage.world.published.at(-1)?.serving).toBe('site-2');
  await record('a-late-decision', await stage.history());
});

story('a rollout on its way is published, and its verdict still awaited', async (stage) => {
  stage.world.say('Progressing');
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await eventually(() => stage.world.condition('Ready')?.reason === 'Deploying' || undefined);
  stage.world.say('Failed', { reason: 'ImageNeverReady' });
  await eventually(() => stage.world.condition('Ready')?.reason === 'ImageNeverReady' || undefined);
  stage.world.say('Ready');
  await stage.untilReady();
  await record('a-slow-rollout', await stage.history());
});

story('a rollout that misses its deadline is stalled, and told when it is Ready after all', async (stage) => {
  stage.world.say('Failed');
  if (stage.world.capp !== null) stage.world.capp.deadlineSeconds = 1;
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await eventually(() => stage.world.condition('Stalled')?.status === 'True' || undefined);
  await eventually(() => stage.world.questions() === 0 || undefined);
  stage.world.say('Ready');
  await stage.ring('site');
  await stage.untilReady();
  await eventually(() => stage.world.condition('Stalled')?.status === 'False' || undefined);
  await record('a-missed-deadline', await stage.history());
});

story('a ring about nothing new costs one look', async (stage) => {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  const before = await stage.history();
  const [deeds, published] = [stage.world.deeds.length, stage.world.published.length];
  await stage.ring('spec');
  // Not by asking the workflow: a query during a local activity costs a task more.
  await eventually(() => stage.world.deeds.length > deeds || undefined);
  const after = await stage.history();
  expect(stage.world.deeds.slice(deeds)).toEqual(['apply']);
  expect(stage.world.published.slice(published + 1)).toEqual([]);
  const cost = (after.events ?? []).slice(before.events?.length ?? 0);
  // The signal and the look; how many tasks the server makes of them is its own affair.
  expect(cost.filter((event) => !isOfATask(event))).toHaveLength(2);
  await record('a-duplicate-ring', after);
});

type Event = NonNullable<History['events']>[number];

const isOfATask = (event: Event): boolean => Object.keys(event).some((field) => field.startsWith('workflowTask'));
