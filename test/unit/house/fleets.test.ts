// The lives of a CappSet and of Capps beside it under random storms, in virtual time: never more is under way
// than may be, the last Ready copy stays, and nothing goes on while it is paused. What breaks a rule names
// the seed; `FLEETS=1 SEED=n make simulate` prints its story.
import { FAULTS } from '../../support/simulator/world/faults.ts';
import { simulate } from '../../support/simulator/simulate.ts';

/** Few enough for half a minute; `FLEETS=1 make simulate` lives through many more. */
const SEEDS = 40;
/** Stories that once went wrong. */
const KNOWN = [114, 127, 134];

test(`every rule of a set holds in ${SEEDS} lives, and in those that once went wrong`, async () => {
  const breaches: (readonly [number, string])[] = [];
  for (const seed of [...KNOWN, ...Array(SEEDS).keys()]) {
    const { breach } = await simulate(seed, null, FAULTS, { fleets: true });
    if (breach !== null) breaches.push([seed, breach]);
  }
  expect(breaches).toEqual([]);
}, 600_000);
