// Runs the simulator with many seeds: Capps under random faults, in virtual time. Prints each seed that
// violates a rule.
//
// Usage: make simulate. SEEDS is the number of seeds (100000), FIRST the first one (0), PROCESSES the number
// of processes (one per processor). SEED=n runs one seed and prints its events. LIES=1 has one site lie in
// every message that it may send. FLEETS=1 has a CappSet or a Bundle, on 3 to 25 sites. FAULTS is a
// comma-separated list of the only faults of `faults.ts` that may happen.
import { fork } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { FAULTS } from '../support/simulator/world/faults.ts';
import { added, type Counts } from '../support/simulator/rules/tally.ts';
import { untried } from '../support/simulator/rules/tried.ts';
import { simulate } from '../support/simulator/simulate.ts';

/** In so many lives everything of `tried.ts` happens. */
const MANY = 1_000;

interface Lived {
  readonly seed: number;
  readonly breach: string | null;
  readonly counts: Counts;
}

interface Share {
  readonly first: number;
  readonly end: number;
  readonly step: number;
}

const env = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const one = process.env['SEED'];
const faults =
  process.env['FAULTS'] === undefined
    ? FAULTS
    : FAULTS.filter((name) => process.env['FAULTS']?.split(',').includes(name));
const share = process.env['SHARE'];
const ways = { lies: process.env['LIES'] === '1', fleets: process.env['FLEETS'] === '1' };

if (share !== undefined) await runShare(JSON.parse(share) as Share);
else if (one === undefined)
  await runAll(env('FIRST', 0), env('SEEDS', 100_000), env('PROCESSES', availableParallelism()));
else await runOne(Number(one));

async function runOne(seed: number): Promise<void> {
  const { breach, steps } = await simulate(seed, (line) => console.log(line), faults, ways);
  console.log(
    breach === null ? `Seed ${seed}: every rule held in ${steps} steps.` : `Seed ${seed}: ${breach}`,
  );
  process.exitCode = breach === null ? 0 : 1;
}

/** Runs in a child process, and sends the result of each seed. */
async function runShare({ first, end, step }: Share): Promise<void> {
  for (let seed = first; seed < end; seed += step) {
    const { breach, counts } = await simulate(seed, null, faults, ways);
    process.send?.({ seed, breach, counts });
  }
}

async function runAll(first: number, count: number, processes: number): Promise<void> {
  const start = performance.now();
  let done = 0;
  let failed = 0;
  let counts: Counts = {};
  const note = ({ seed, breach, counts: more }: Lived): void => {
    done += 1;
    counts = added(counts, more);
    if (breach !== null) {
      failed += 1;
      console.error(`SEED=${seed}: ${breach.slice(0, 300)}`);
    }
    if (done % (ways.lies || ways.fleets ? 100 : 5_000) === 0)
      console.log(`${done} of ${count} seeds, ${perSecond(done, start)} a second, ${failed} failed`);
  };
  await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      child({ first: first + index, end: first + count, step: processes }, note),
    ),
  );
  if (done < count) failed += count - done;
  tell(counts);
  const missing = count < MANY || faults !== FAULTS ? [] : untried(counts, ways);
  for (const what of missing) console.error(`In ${count} lives this never happened: ${what}`);
  console.log(
    failed === 0
      ? `Every rule held for ${count} seeds, ${perSecond(count, start)} a second.`
      : `${failed} of ${count} seeds failed.`,
  );
  process.exitCode = failed === 0 && missing.length === 0 ? 0 : 1;
}

/** What was tried, in the order of the alphabet. */
function tell(counts: Counts): void {
  for (const [what, often] of Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(often).padStart(9)}  ${what}`);
}

/** Resolves when it has ended. */
function child(part: Share, note: (outcome: Lived) => void): Promise<void> {
  const process_ = fork(import.meta.filename, { env: { ...process.env, SHARE: JSON.stringify(part) } });
  // The machine stays usable.
  if (process_.pid !== undefined) setPriority(process_.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  process_.on('message', note);
  return new Promise((resolve) => void process_.on('exit', () => resolve()));
}

function perSecond(done: number, start: number): number {
  return Math.round(done / ((performance.now() - start) / 1_000));
}
