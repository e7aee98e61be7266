// The lives of a CappSet or a Bundle under random storms, in virtual time: never more is under way than may
// be, no stage begins before its gates are open, no more is removed than a person allows, the last Ready copy
// stays, and what fails is undone everywhere. What breaks a rule names the seed; `FLEETS=1 SEED=n make
// simulate` prints its story.
import { FAULTS } from '../../support/simulator/world/faults.ts';
import { simulate } from '../../support/simulator/simulate.ts';

/** Few enough for half a minute; `FLEETS=1 make simulate` lives through many more. */
const SEEDS = 30;
/** Stories that once went wrong, and lives of many sites in which a weak guard is seen. */
const KNOWN: readonly number[] = [70, 85];
/** A CappSet on thirteen sites, whose turns let others have the thread while they are long. */
const LONG_TURNS = 70;

test(`every rule of a fleet holds in ${SEEDS} lives, and in those that once went wrong`, async () => {
  const breaches: (readonly [number, string])[] = [];
  for (const seed of [...KNOWN, ...Array(SEEDS).keys()]) {
    const { breach } = await simulate(seed, null, FAULTS, { fleets: true });
    if (breach !== null) breaches.push([seed, breach]);
  }
  expect(breaches).toEqual([]);
}, 600_000);

test('a seed tells the same story on a slow machine', async () => {
  const { now } = performance;
  const steps = async (): Promise<number> =>
    (await simulate(LONG_TURNS, null, FAULTS, { fleets: true })).steps;
  const quick = await steps();
  let waited = 0;
  performance.now = () => (waited += 50);
  try {
    expect(await steps()).toBe(quick);
  } finally {
    performance.now = now;
  }
}, 60_000);
