// A site that lies in every message that it may send, in virtual time: through the real gateway and the real
// parsers. `LIES=1 make simulate SEED=n` prints the story of a seed.
import { simulate } from '../../support/simulator/simulate.ts';
import { FAULTS } from '../../support/simulator/world/faults.ts';

/** Few enough for a minute; `make simulate` lives through many more. */
const SEEDS = 12;

test(`what one site lies moves nothing that is not its own, in ${SEEDS} lives, and leaves nothing behind`, async () => {
  const breaches: (readonly [number, string])[] = [];
  for (const seed of Array(SEEDS).keys()) {
    const { breach } = await simulate(seed, null, FAULTS, { lies: true });
    if (breach !== null) breaches.push([seed, breach]);
  }
  expect(breaches).toEqual([]);
}, 600_000);

test('a site that lies is heard: its answers, rings and inventories are let through and refused', async () => {
  const lines: string[] = [];
  await simulate(0, (line) => void lines.push(line), FAULTS, { lies: true });
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  expect(count(/lies about \w+ \{/)).toBeGreaterThan(0);
  expect(count(/lies about \w+ "/)).toBeGreaterThan(0);
  expect(count(/sends ring to capp.*"bytes"/)).toBeGreaterThan(0);
  expect(count(/sends (?:ring|leave|migrate|permit) to .*"refusal"/)).toBeGreaterThan(0);
  expect(count(/sends audit to site.*"bytes"/)).toBeGreaterThan(0);
}, 120_000);
