// Runs the simulator of rollouts with many seeds, and prints each seed that breaks a rule.
//
// Usage: node test/soak/rollouts.ts. SEEDS is the number of seeds (20000), FIRST the first one (0). SEED=n
// runs one and prints its story.
import { simulateRollout } from '../support/rollouts/simulate.ts';

const { SEED, SEEDS = '20000', FIRST = '0' } = process.env;

function runAll(first: number, end: number): number {
  let failed = 0;
  for (let seed = first; seed < end; seed += 1) {
    const { breach } = simulateRollout(seed);
    if (breach === null) continue;
    failed += 1;
    console.error(`SEED=${seed}: ${breach}`);
  }
  return failed;
}

if (SEED === undefined) {
  const failed = runAll(Number(FIRST), Number(FIRST) + Number(SEEDS));
  console.log(
    failed === 0 ? `Every rule of rollouts held for ${SEEDS} seeds.` : `${failed} of ${SEEDS} seeds failed.`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} else {
  const { breach } = simulateRollout(Number(SEED), (line) => console.log(line));
  console.log(breach === null ? `Seed ${SEED}: every rule held.` : `Seed ${SEED}: ${breach}`);
  process.exitCode = breach === null ? 0 : 1;
}
