// What goes wrong on the hub for a moment, or for good until somebody acts.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('failures');

for (const [mode, options] of [
  ['eager', {}],
  ['not eager', { maxEagerActivityReservationsPerWorkflowTask: 0 }],
] as const) {
  story(`an apply that fails after its write, at once and later, is retried and finds its work (${mode})`, async (stage) => {
    const { world } = stage;
    world.fail('apply', 2);
    await stage.startHub(options);
    await stage.startAgent();
    await stage.ring('spec');
    await stage.untilReady();
    expect(world.deeds.filter((deed) => deed === 'apply')).toHaveLength(3);
    expect([...world.works.values()]).toMatchObject([{ incarnation: 1 }]);
    if (mode === 'eager') await record('a-retried-apply', await stage.history());
  });
}

story('a choice that fails is made again', async (stage) => {
  const { world } = stage;
  world.fail('choose', 3);
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  expect(world.deeds.filter((deed) => deed === 'choose')).toHaveLength(4);
  await record('a-failed-choice', await stage.history());
});

story('caches that lag are waited for without a ring', async (stage) => {
  const { world } = stage;
  world.isBehind = true;
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.until(({ backoff }) => (backoff?.tries ?? 0) >= 2);
  world.isBehind = false;
  await stage.untilReady();
  await record('caches-behind', await stage.history());
});

story('what refers to something missing says so, and is shipped when it comes', async (stage) => {
  const { world } = stage;
  if (world.capp !== null) world.capp.missing = 'Secret keys';
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await eventually(() => world.condition('Ready')?.reason === 'MissingReference' || undefined);
  expect(world.works.size).toBe(0);
  if (world.capp !== null) world.capp.missing = null;
  await stage.ring('dependency');
  await stage.untilReady();
  await record('a-missing-reference', await stage.history());
});

story('an apply that the hub forbids says so, and is tried again when somebody rings', async (stage) => {
  const { world } = stage;
  world.fail('apply', 2, 'Forbidden');
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await eventually(() => world.condition('Applied')?.reason === 'Refused' || undefined);
  await stage.ring('spec');
  await stage.untilReady();
  await eventually(() => world.condition('Ready')?.status === 'True' || undefined);
  await record('a-forbidden-apply', await stage.history());
});

story('a publication that fails at once is left to one that is retried', async (stage) => {
  const { world } = stage;
  world.fail('publish', 3);
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.until(({ mirrored }) => mirrored !== null);
  expect(world.condition('Ready')?.status).toBe('True');
  await record('a-failed-publication', await stage.history());
});

story('a publication that the hub forbids does not keep the app from being looked after', async (stage) => {
  const { world } = stage;
  world.fail('publish', 1_000, 'Forbidden');
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  world.edit();
  await stage.ring('spec');
  await stage.until(({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Ready');
});
