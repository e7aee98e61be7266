// A site that lies in every message that it may send, in virtual time: through the real gateway and the real
// parsers. `LIES=1 make simulate SEED=n` prints the story of a seed.
import { simulate } from '../../support/simulator/simulate.ts';
import { added, type Counts } from '../../support/simulator/rules/tally.ts';
import { untried } from '../../support/simulator/rules/tried.ts';
import { FAULTS } from '../../support/simulator/world/faults.ts';

/** Few enough for a minute; `make simulate` lives through many more. */
const SEEDS = 16;

test(`what one site lies is heard, moves nothing that is not its own, in ${SEEDS} lives, and leaves nothing behind`, async () => {
  const breaches: (readonly [number, string])[] = [];
  let counts: Counts = {};
  for (const seed of Array(SEEDS).keys()) {
    const { breach, counts: more } = await simulate(seed, null, FAULTS, { lies: true });
    if (breach !== null) breaches.push([seed, breach]);
    counts = added(counts, more);
  }
  expect(breaches).toEqual([]);
  expect(untried(counts, { lies: true }).filter((what) => what.startsWith('a lie:'))).toEqual([]);
}, 600_000);
