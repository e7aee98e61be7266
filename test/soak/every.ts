// Lives through quiet stories again and again: in each life another write of our own processes goes wrong, in
// each way in which it can. Prints each life that violates a rule, or that ends otherwise than without a
// fault.
//
// Usage: make simulate EVERY=1. EVERY=move/17/late lives one, and prints its events; EVERY=move all of one
// story. PAIRS=1 also lets two writes that follow one another go wrong in the same way.
import { breachIn, caseOf, casesOf, taleOf } from '../support/simulator/every/every.ts';
import { live } from '../support/simulator/every/live.ts';
import { TALES } from '../support/simulator/every/tales.ts';

const asked = process.env['EVERY'] ?? '1';
const ways = { pairs: process.env['PAIRS'] === '1' };

if (asked.includes('/')) await runOne(asked);
else await runAll(asked === '1' ? Object.keys(TALES) : [asked]);

async function runOne(name: string): Promise<void> {
  const one = caseOf(name);
  const faultless = await live(taleOf(one.tale), null);
  const breach = await breachIn(one, faultless, (line) => console.log(line));
  console.log(breach === null ? `EVERY=${name}: every rule held.` : `EVERY=${name}: ${breach}`);
  process.exitCode = breach === null ? 0 : 1;
}

async function runAll(tales: readonly string[]): Promise<void> {
  let [lives, failed] = [0, 0];
  for (const tale of tales) {
    const faultless = await live(taleOf(tale), null);
    if (faultless.breach !== null) throw new Error(`${tale} without a fault: ${faultless.breach}`);
    const cases = casesOf(tale, faultless.writes, ways);
    for (const one of cases) {
      const breach = await breachIn(one, faultless);
      lives += 1;
      if (breach === null) continue;
      failed += 1;
      const what = one.at.map((number) => faultless.writes[number]?.text).join(', then ');
      console.error(`EVERY=${one.name} (${what}): ${breach.slice(0, 300)}`);
    }
    console.log(`${tale}: ${faultless.writes.length} writes, ${cases.length} lives`);
  }
  console.log(failed === 0 ? `Every rule held in ${lives} lives.` : `${failed} of ${lives} lives failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
