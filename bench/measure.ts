// Runs one benchmark: opens the testbed, measures, prints one line, writes the raw figures, cleans up. A
// failure writes no figures.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../deploy/local/terminal.ts';
import { writeText } from '../deploy/local/supervise/json-file.ts';
import { CATALOG, type MeasureName } from './catalog.ts';
import { describeMachine, type Machine } from './conditions/machine.ts';
import { openTestbed, type Testbed } from './load/testbed.ts';

export const RESULTS = join(import.meta.dirname, 'results');

export interface BenchOutcome {
  /** The cell in the table, such as `p50 3 ms, p90 4 ms`. */
  readonly ours: string;
  /** All figures, with units in their names. */
  readonly figures: Readonly<Record<string, unknown>>;
}

type Work = (testbed: Testbed, count: number) => Promise<BenchOutcome>;

/** `count` is the number of Capps or samples; the first argument of the command line overrides it. */
export async function measure(name: MeasureName, count: number, work: Work): Promise<void> {
  const fail = (what: string, error: unknown): void => {
    console.error(`${CATALOG[name].title}: ${what}. ${describeError(error)}`);
    process.exitCode = 1;
  };
  try {
    const wanted = wantedCount() ?? count;
    const machine = describeMachine();
    const testbed = await openTestbed(name);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void interrupt(testbed, stop));
    await perform(name, { testbed, machine, count: wanted, stop: stop.signal }, work).catch(
      (error: unknown) => fail('not measured', error),
    );
    await testbed.close();
  } catch (error) {
    fail('its start or its cleanup failed', error);
  }
}

/** As `measure`, for what needs no stack. `count` is the number of samples. */
export async function measureAlone(
  name: MeasureName,
  count: number,
  work: (count: number) => Promise<BenchOutcome>,
): Promise<void> {
  try {
    const machine = describeMachine();
    const { ours, figures } = await work(wantedCount() ?? count);
    publish(join(RESULTS, `${name}.json`), { measure: name, machine, ours, figures });
  } catch (error) {
    console.error(`${CATALOG[name].title}: not measured. ${describeError(error)}`);
    process.exitCode = 1;
  }
}

interface Result extends BenchOutcome {
  readonly measure: MeasureName;
  readonly machine: Machine;
  readonly temporal?: object;
}

function publish(file: string, { ours, figures, ...about }: Result): void {
  const result = { ...about, at: new Date().toISOString(), ours, figures };
  writeText(file, `${JSON.stringify(result, null, 2)}\n`, 0o644);
  console.log(`${CATALOG[about.measure].title}: ${ours}`);
}

interface Given {
  readonly testbed: Testbed;
  readonly machine: Machine;
  readonly count: number;
  readonly stop: AbortSignal;
}

async function perform(
  name: MeasureName,
  { testbed, machine, count, stop }: Given,
  work: Work,
): Promise<void> {
  const temporal = await engineOf(testbed);
  const file = join(RESULTS, `${name}${temporal.store.startsWith('postgres') ? '-postgres' : ''}.json`);
  rmSync(file, { force: true });
  const { ours, figures } = await work(testbed, count);
  // The cleanup ran during the measurement.
  if (stop.aborted) throw new Error('It was interrupted.');
  publish(file, { measure: name, machine, temporal, ours, figures });
}

function wantedCount(): number | null {
  const text = process.argv[2] ?? '';
  if (text === '') return null;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`"${text}" is not a number of Capps. Give a whole number from 1.`);
}

/** The server and the store that the server reports, so that no result can name the wrong store. */
async function engineOf({ stack }: Testbed): Promise<{ server: string; store: string }> {
  const { serverVersion, persistenceStore } = await stack.temporal.workflowService.getClusterInfo({});
  return { server: serverVersion ?? '', store: persistenceStore ?? '' };
}

async function interrupt(testbed: Testbed, stop: AbortController): Promise<void> {
  stop.abort();
  console.error('Cleaning up …');
  await testbed.close().catch((error: unknown) => console.error(describeError(error)));
  process.exit(130);
}
