// Plans hosts for many seeded inventories, and compares each plan with all that could be done. Prints each
// seed whose plan breaks a rule.
//
// Usage: node test/soak/hosts.ts. SEEDS is the number of seeds (100000), FIRST the first one (0).
import { breachOf } from '../support/builders/metal/inventories.ts';

const { SEEDS = '100000', FIRST = '0' } = process.env;

let failed = 0;
for (let seed = Number(FIRST); seed < Number(FIRST) + Number(SEEDS); seed += 1) {
  const breach = breachOf(seed);
  if (breach === null) continue;
  failed += 1;
  console.error(`seed ${seed}: ${breach}`);
}
console.log(
  failed === 0
    ? `Every rule of hosts held for ${SEEDS} inventories.`
    : `${failed} of ${SEEDS} inventories failed.`,
);
process.exitCode = failed === 0 ? 0 : 1;
