// Rings that come while the workflow is busy: none is lost, and what is old gives way to what is new.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import { leave } from '../../../workflows/messages.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';

const story = storiesOf('signals');

story('edits during an apply are shipped after it, however many they are', async (stage) => {
  const { world } = stage;
  await stage.startHub();
  await stage.startAgent();
  const apply = world.hold('apply');
  await stage.ring('spec');
  await apply.arrived;
  for (let edit = 0; edit < 20; edit += 1) {
    world.edit();
    await stage.ring('spec');
  }
  apply.release();
  await stage.until(({ copies }) => copies['site-1']?.generation === 21 && copies['site-1'].finding?.verdict === 'Ready');
  expect(world.deeds.filter((deed) => deed === 'apply').length).toBeLessThanOrEqual(2);
  await record('edits-during-an-apply', await stage.history());
});

story('an edit during a rollout gives up the question about the old one', async (stage) => {
  const { world } = stage;
  world.say('Progressing');
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await eventually(() => world.condition('Ready')?.reason === 'Deploying' || undefined);
  await eventually(() => world.questions() === 1 || undefined);
  world.edit();
  await stage.ring('spec');
  await stage.until(({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Progressing');
  await eventually(() => world.questions() === 1 || undefined);
  world.say('Ready');
  await stage.until(({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Ready');
  await record('an-edit-during-a-rollout', await stage.history());
});

story('a hail of rings about nothing changes nothing that users read', async (stage) => {
  const { world } = stage;
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  await eventually(() => world.condition('Ready')?.status === 'True' || undefined);
  const [before] = world.published.slice(-1);
  await Promise.all(Array.from({ length: 30 }, () => stage.ring('meta', 'dependency', 'decision', 'work')));
  await stage.until(({ ringsHeard, ringsAnswered }) => ringsHeard === 31 && ringsAnswered === 31);
  expect(world.published.at(-1)?.conditions).toEqual(before?.conditions);
  expect(world.works.size).toBe(1);
});

story('news of a Ready copy are asked for, and its new status is mirrored once', async (stage) => {
  const { world } = stage;
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  world.say('Ready', { statusHash: 'new' });
  await stage.ring('site');
  await stage.until(({ mirrored }) => mirrored === 'new');
  await stage.ring('site');
  await stage.until(({ ringsHeard, ringsAnswered }) => ringsHeard === 3 && ringsAnswered === 3);
  await eventually(() => world.deeds.filter((deed) => deed === 'report').length === 2 || undefined);
  expect(world.published.filter(({ publication }) => publication.mirror !== null)).toHaveLength(2);
  await record('news-of-a-site', await stage.history());
});

story('told to leave a site that it is not on, it tells the drain so, and stays', async (stage) => {
  const { world } = stage;
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  await stage.client.workflow.getHandle(cappWorkflowId(stage.capp.namespace, stage.capp.name)).signal(leave, { cluster: 'site-9' });
  await eventually(() => world.deeds.includes('settle') || undefined);
  await stage.until((state) => state.serving === 'site-1' && state.leave === null && state.request === null);
  await record('told-to-leave-elsewhere', await stage.history());
});
