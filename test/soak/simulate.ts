// Runs the simulator with many seeds: Capps under random faults, in virtual time. Prints each seed that
// violates a rule.
//
// Usage: make simulate. SEEDS is the number of seeds (100000), FIRST the first one (0), PROCESSES the number
// of processes (one per processor). SEED=n runs one seed and prints its events. LIES=1 has one site lie in
// every message that it may send. FLEETS=1 has a CappSet or a Bundle, on 3 to 25 sites. FAULTS is a
// comma-separated list of the only faults of `faults.ts` that may happen. About twice a minute, and when it
// is stopped, it says from which seed to go on.
import { fork } from 'node:child_process';
import { availableParallelism, constants, getPriority, setPriority } from 'node:os';
import { FAULTS } from '../support/simulator/world/faults.ts';
import { added, type Counts } from '../support/simulator/rules/tally.ts';
import { untried } from '../support/simulator/rules/tried.ts';
import { simulate } from '../support/simulator/simulate.ts';
import { reached } from '../support/simulator/reached.ts';

/** In so many lives everything of `tried.ts` happens. */
const MANY = 1_000;
/** Lives leave much behind that soon is no longer needed: megabytes that save a fifth of the time. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];
const REPORT_MS = 30_000;

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
  const lived = reached(first);
  let failed = 0;
  let counts: Counts = {};
  let told = start;
  const report = (): void => {
    told = performance.now();
    const rate = perSecond(lived.count, start);
    console.log(
      `${lived.count} of ${count} seeds, ${rate} a second, ${failed} failed; go on with FIRST=${lived.next}`,
    );
  };
  const note = ({ seed, breach, counts: more }: Lived): void => {
    lived.add(seed);
    counts = added(counts, more);
    if (breach !== null) {
      failed += 1;
      console.error(`SEED=${seed}: ${breach.slice(0, 300)}`);
    }
    if (performance.now() - told > REPORT_MS) report();
  };
  const died = (seed: number): void => {
    failed += 1;
    console.error(`SEED=${seed}: the process that lived it has died`);
  };
  const shares = Array.from({ length: processes }, (_, index) =>
    child({ first: first + index, end: first + count, step: processes }, { note, died }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const { end } of shares) end();
    });
  await Promise.all(shares.map(({ ended }) => ended));
  tell(counts);
  const isWhole = lived.count === count;
  if (!isWhole) report();
  const missing = !isWhole || count < MANY || faults !== FAULTS ? [] : untried(counts, ways);
  for (const what of missing) console.error(`In ${count} lives this never happened: ${what}`);
  console.log(outcome({ lived: lived.count, count, failed, next: lived.next }));
  process.exitCode = isWhole && failed === 0 && missing.length === 0 ? 0 : 1;
}

interface End {
  readonly lived: number;
  readonly count: number;
  readonly failed: number;
  readonly next: number;
}

function outcome({ lived, count, failed, next }: End): string {
  if (failed > 0) return `${failed} of ${lived} seeds failed.`;
  if (lived < count) return `Stopped after ${lived} of ${count} seeds, in which every rule held.`;
  return `Every rule held for ${count} seeds; go on with FIRST=${next}.`;
}

/** What was tried, in the order of the alphabet. */
function tell(counts: Counts): void {
  for (const [what, often] of Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(often).padStart(9)}  ${what}`);
}

interface Child {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

interface Hearer {
  readonly note: (outcome: Lived) => void;
  readonly died: (seed: number) => void;
}

function child(part: Share, { note, died }: Hearer): Child {
  const process_ = fork(import.meta.filename, {
    env: { ...process.env, SHARE: JSON.stringify(part) },
    execArgv: [...process.execArgv, ...NODE_OPTIONS],
  });
  // The machine stays usable.
  const { pid } = process_;
  if (pid !== undefined) setPriority(pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  let seed = part.first;
  process_.on('message', (lived: Lived) => {
    seed = lived.seed + part.step;
    note(lived);
  });
  const ended = new Promise<void>(
    (resolve) =>
      void process_.on('exit', (code) => {
        // Null: a signal has ended it.
        if (code !== 0 && code !== null) died(seed);
        resolve();
      }),
  );
  return { ended, end: () => void process_.kill() };
}

/** To a tenth. */
function perSecond(done: number, start: number): number {
  return Math.round(done / ((performance.now() - start) / 10_000)) / 10;
}
