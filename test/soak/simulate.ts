// The simulator with many seeds: a Capp's life under storms, in virtual time. Prints each seed that breaks a rule.
//
// Usage: make simulate; SEEDS says how many (100000), FIRST from which on (0). SEED=n lives through one and prints its story.
import { simulate } from '../support/simulator/simulate.ts';

const one = process.env['SEED'];
if (one === undefined) many(Number(process.env['FIRST'] ?? 0), Number(process.env['SEEDS'] ?? 100_000));
else tell(Number(one));

function tell(seed: number): void {
  const { breach, steps } = simulate(seed, (line) => console.log(line));
  console.log(breach === null ? `Seed ${seed}: every rule held in ${steps} steps.` : `Seed ${seed}: ${breach}`);
  process.exitCode = breach === null ? 0 : 1;
}

function many(first: number, count: number): void {
  const start = performance.now();
  let failed = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const { breach } = simulate(seed);
    if (breach !== null) {
      failed += 1;
      console.error(`SEED=${seed}: ${breach.slice(0, 300)}`);
    }
    const done = seed + 1 - first;
    if (done % 5_000 === 0) console.log(`${done} of ${count} seeds, ${perSecond(done, start)} a second, ${failed} failed`);
  }
  console.log(failed === 0 ? `Every rule held in ${count} lives, ${perSecond(count, start)} a second.` : `${failed} of ${count} failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function perSecond(done: number, start: number): number {
  return Math.round(done / ((performance.now() - start) / 1_000));
}
