// What goes wrong on the hub for a moment, or for good until somebody acts.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('failures');

for (const [mode, options] of [
  ['eager', {}],
  ['not eager', { maxEagerActivityReservationsPerWorkflowTask: 0 }],
] as const) {
  story(
    `an apply that fails after its write, at once and later, is retried and finds its work (${mode})`,
    async (testbed) => {
      const { world } = testbed;
      world.fail('apply', 2);
      await testbed.startHub(options);
      await testbed.startAgent();
      await testbed.ring('spec');
      await testbed.untilReady();
      expect(world.calls.filter((call) => call === 'apply')).toHaveLength(3);
      expect([...world.works.values()]).toMatchObject([{ incarnation: 1 }]);
      if (mode === 'eager') await record('a-retried-apply', await testbed.history());
    },
  );
}

story('a choice that fails is made again', async (testbed) => {
  const { world } = testbed;
  world.fail('choose', 3);
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  expect(world.calls.filter((call) => call === 'choose')).toHaveLength(4);
  await record('a-failed-choice', await testbed.history());
});

story('caches that lag are waited for without a ring', async (testbed) => {
  const { world } = testbed;
  world.isBehind = true;
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.until(({ backoff }) => (backoff?.tries ?? 0) >= 2);
  world.isBehind = false;
  await testbed.untilReady();
  await record('caches-behind', await testbed.history());
});

story('what refers to something missing says so, and is shipped when it comes', async (testbed) => {
  const { world } = testbed;
  if (world.capp !== null) world.capp.missing = 'Secret keys';
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => world.condition('Ready')?.reason === 'MissingReference' || undefined);
  expect(world.works.size).toBe(0);
  if (world.capp !== null) world.capp.missing = null;
  await testbed.ring('dependency');
  await testbed.untilReady();
  await record('a-missing-reference', await testbed.history());
});

story('an apply that the hub forbids says so, and is tried again when somebody rings', async (testbed) => {
  const { world } = testbed;
  world.fail('apply', 2, 'Forbidden');
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => world.condition('Applied')?.reason === 'Refused' || undefined);
  await testbed.ring('spec');
  await testbed.untilReady();
  await eventually(() => world.condition('Ready')?.status === 'True' || undefined);
  await record('a-forbidden-apply', await testbed.history());
});

story('a publication that fails at once is left to one that is retried', async (testbed) => {
  const { world } = testbed;
  world.fail('publish', 3);
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.until(({ mirrored }) => mirrored !== null);
  expect(world.condition('Ready')?.status).toBe('True');
  await record('a-failed-publication', await testbed.history());
});

story('a publication that the hub forbids does not keep the app from being looked after', async (testbed) => {
  const { world } = testbed;
  world.fail('publish', 1_000, 'Forbidden');
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  world.edit();
  await testbed.ring('spec');
  await testbed.until(
    ({ copies }) => copies['site-1']?.generation === 2 && copies['site-1'].finding?.verdict === 'Ready',
  );
});
