// A Capp that turns unhealthy on its site, on a real Temporal: it goes to another site, and back at most.
import { eventually } from '../../../testbed/eventually.ts';
import { aFinding } from '../../support/builders/states.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('unhealthy');

/** It bears to be unhealthy for so long. */
const BEARS_MS = 500;
const FAILED = aFinding('Failed', { message: 'Its container exits.' });

/** Ready on site-1, where three sites may have it. */
async function ready(testbed: FlowTestbed): Promise<void> {
  const { world } = testbed;
  world.orders = { unhealthyMs: BEARS_MS };
  world.rules = { cooldownMs: 0, deadlineMs: 600_000 };
  world.others.add('site-2').add('site-3');
  await testbed.startHub();
  for (const site of ['site-1', 'site-2', 'site-3']) await testbed.startAgent(site);
  await testbed.ring('spec');
  await testbed.untilReady();
}

async function turnsIll(testbed: FlowTestbed, site: string): Promise<void> {
  testbed.world.sick.set(site, FAILED);
  await testbed.ring('site');
}

const migrating = ({ world }: FlowTestbed): string | undefined => world.condition('Migrating')?.reason;
const isCounted = ({ copies }: Awaited<ReturnType<FlowTestbed['state']>>): boolean =>
  (copies['site-1']?.health?.lookedAt ?? 0) > 0;

story('a Capp that is unhealthy moves, and the old copy goes when the new one is Ready', async (testbed) => {
  await ready(testbed);
  testbed.world.sick.set('site-2', aFinding('Progressing'));
  await turnsIll(testbed, 'site-1');
  const moving = await testbed.until(({ move }) => move !== null);
  expect(moving.move).toMatchObject({ reason: 'Unhealthy', from: 'site-1', to: 'site-2' });
  await testbed.until(({ copies }) => copies['site-2']?.finding?.verdict === 'Progressing');
  expect((await testbed.state()).serving).toBe('site-1');
  expect(testbed.world.works.get('site-1')?.leaving).toBe(false);
  testbed.world.sick.delete('site-2');
  testbed.world.say('Ready');
  const after = await testbed.until(({ lastMove, move }) => lastMove?.result === 'Moved' && move === null);
  expect([after.serving, after.healing?.moves]).toEqual(['site-2', 1]);
  await testbed.untilReady();
  await record('an-unhealthy-capp', await testbed.history());
});

story('what is unhealthy there as well goes back, and then nowhere', async (testbed) => {
  await ready(testbed);
  await turnsIll(testbed, 'site-1');
  await testbed.until(({ serving, move }) => serving === 'site-2' && move === null);
  await testbed.untilReady();
  testbed.world.works.delete('site-1');
  testbed.world.sick.delete('site-1');
  await testbed.ring('gone');
  await testbed.untilReady();
  await turnsIll(testbed, 'site-2');
  await testbed.until(
    ({ serving, move, healing }) => serving === 'site-1' && move === null && healing?.moves === 2,
  );
  await testbed.untilReady();
  await turnsIll(testbed, 'site-1');
  await eventually(() => migrating(testbed) === 'Unhealed' || undefined);
  expect(testbed.world.condition('Stalled')?.message).toContain(
    'site-1: RolloutFailed: Its container exits. site-2: RolloutFailed: Its container exits.',
  );
  // A person's word is another beginning.
  testbed.world.sick.delete('site-2');
  await testbed.client.workflow
    .getHandle(`capp/apps/${testbed.capp.name}`)
    .signal('migrate', { to: 'site-3', by: 'you' });
  const asked = await testbed.until(({ serving }) => serving === 'site-3');
  expect(asked.healing).toBeUndefined();
});

story('while others are unhealthy it stays, and what was never Ready stays in any case', async (testbed) => {
  await ready(testbed);
  testbed.world.fleet = { ill: 11, of: 40, percent: 25 };
  await turnsIll(testbed, 'site-1');
  await eventually(() => migrating(testbed) === 'FleetUnhealthy' || undefined);
  expect((await testbed.until(isCounted)).move).toBeNull();
  testbed.world.sick.delete('site-1');
  await testbed.ring('site');
  await testbed.untilReady();
  expect(migrating(testbed)).toBe('NotMoving');
  testbed.world.fleet = { ill: 1, of: 40, percent: 25 };
  testbed.world.say('Failed');
  testbed.world.edit();
  await testbed.ring('spec');
  const still = await testbed.until(({ copies }) => copies['site-1']?.finding?.verdict === 'Failed');
  expect([still.copies['site-1']?.health, still.leave, still.move]).toEqual([undefined, null, null]);
});

story('a Capp that recovers in time stays where it is', async (testbed) => {
  await ready(testbed);
  testbed.world.orders = { unhealthyMs: 3_000 };
  testbed.world.edit();
  await testbed.ring('spec');
  await testbed.until(
    ({ generation, copies }) => generation === 2 && copies['site-1']?.finding?.verdict === 'Ready',
  );
  await turnsIll(testbed, 'site-1');
  const ill = await testbed.until(({ copies }) => (copies['site-1']?.health?.illSince ?? null) !== null);
  // Nobody rings for its recovery: it is asked before it goes.
  testbed.world.sick.delete('site-1');
  const due = (ill.copies['site-1']?.health?.illSince ?? 0) + 3_000;
  const after = await testbed.until(({ copies }) => (copies['site-1']?.heardAt ?? 0) >= due);
  expect([after.copies['site-1']?.health?.illSince, after.leave, after.move]).toEqual([null, null, null]);
});
