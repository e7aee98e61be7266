// Plans hosts for many seeded inventories, and compares each plan with all that could be done; then lives
// storms of six clusters over forty hosts that people edit by hand. Prints each seed that breaks a rule.
//
// Usage: node test/soak/hosts.ts. SEEDS is the number of inventories (100000), STORMS that of storms (3000),
// FIRST the first seed of both (0).
import { breachOf } from '../support/builders/metal/inventories.ts';
import { stormOf } from '../support/builders/metal/storm.ts';

const { SEEDS = '100000', STORMS = '3000', FIRST = '0' } = process.env;

async function tryAll(
  what: string,
  count: number,
  breach: (seed: number) => string | null | Promise<string | null>,
): Promise<void> {
  let failed = 0;
  for (let seed = Number(FIRST); seed < Number(FIRST) + count; seed += 1) {
    const found = await breach(seed);
    if (found === null) continue;
    failed += 1;
    console.error(`seed ${seed}: ${found}`);
  }
  console.log(
    failed === 0 ? `Every rule of hosts held for ${count} ${what}.` : `${failed} of ${count} ${what} failed.`,
  );
  if (failed > 0) process.exitCode = 1;
}

await tryAll('inventories', Number(SEEDS), breachOf);
await tryAll('storms', Number(STORMS), stormOf);
