// Rings that come while the workflow is busy: none is lost, and what is old gives way to what is new.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import { leave } from '../../../workflows/messages.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';

const story = storiesOf('signals');

story('edits during an apply are shipped after it, however many they are', async (testbed) => {
  const { world } = testbed;
  await testbed.startHub();
  await testbed.startAgent();
  const apply = world.hold('apply');
  await testbed.ring('spec');
  await apply.arrived;
  for (let edit = 0; edit < 20; edit += 1) world.edit();
  // At once, because Temporal waits only seconds for the apply.
  await Promise.all(Array.from({ length: 20 }, () => testbed.ring('spec')));
  apply.release();
  await testbed.until(
    ({ copies }) => copies['site-1']?.generation === 21 && copies['site-1'].finding?.verdict === 'Ready',
  );
  expect(world.calls.filter((call) => call === 'apply').length).toBeLessThanOrEqual(2);
  await record('edits-during-an-apply', await testbed.history());
});

story('an edit during a rollout gives up the question about the old one', async (testbed) => {
  const { world } = testbed;
  world.say('Progressing');
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => world.condition('Ready')?.reason === 'Deploying' || undefined);
  await eventually(() => world.questions() === 1 || undefined);
  world.edit();
  await testbed.ring('spec');
  await testbed.until(
    ({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Progressing',
  );
  await eventually(() => world.questions() === 1 || undefined);
  world.say('Ready');
  await testbed.until(
    ({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Ready',
  );
  await record('an-edit-during-a-rollout', await testbed.history());
});

story('a hail of rings about nothing changes nothing that users read', async (testbed) => {
  const { world } = testbed;
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  await eventually(() => world.condition('Ready')?.status === 'True' || undefined);
  const [before] = world.published.slice(-1);
  await Promise.all(Array.from({ length: 30 }, () => testbed.ring('meta', 'dependency', 'decision', 'work')));
  await testbed.until(({ ringsHeard, ringsAnswered }) => ringsHeard === 31 && ringsAnswered === 31);
  expect(world.published.at(-1)?.conditions).toEqual(before?.conditions);
  expect(world.works.size).toBe(1);
});

story('news of a Ready copy are asked for, and its new status is mirrored once', async (testbed) => {
  const { world } = testbed;
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  world.say('Ready', { statusHash: 'new' });
  await testbed.ring('site');
  await testbed.until(({ mirrored }) => mirrored === 'new');
  await testbed.ring('site');
  await testbed.until(({ ringsHeard, ringsAnswered }) => ringsHeard === 3 && ringsAnswered === 3);
  await eventually(() => world.calls.filter((call) => call === 'report').length === 2 || undefined);
  expect(world.published.filter(({ publication }) => publication.mirror !== null)).toHaveLength(2);
  await record('news-of-a-site', await testbed.history());
});

story('told to leave a site that it is not on, it tells the drain so, and stays', async (testbed) => {
  const { world } = testbed;
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  await testbed.client.workflow
    .getHandle(cappWorkflowId(testbed.capp.namespace, testbed.capp.name))
    .signal(leave, { cluster: 'site-9' });
  await eventually(() => world.calls.includes('settle') || undefined);
  await testbed.until(
    (state) => state.serving === 'site-1' && state.leave === null && state.request === null,
  );
  await record('told-to-leave-elsewhere', await testbed.history());
});
