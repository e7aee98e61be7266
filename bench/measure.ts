// Runs one measure: sets the stage, says on what it ran, prints one line, writes the raw figures, tidies up. A failure is told, never a number.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../deploy/local/terminal.ts';
import { writeText } from '../deploy/local/supervise/json-file.ts';
import { CATALOG, type MeasureName } from './catalog.ts';
import { describeMachine, type Machine } from './conditions/machine.ts';
import { openStage, type Stage } from './load/testbed.ts';

export const RESULTS = join(import.meta.dirname, 'results');

export interface Outcome {
  /** What stands in the table, such as `p50 3 ms, p90 4 ms`. */
  readonly ours: string;
  /** All that was measured, with units in the names. */
  readonly figures: Readonly<Record<string, unknown>>;
}

type Work = (stage: Stage, count: number) => Promise<Outcome>;

/** `count` is the first argument of the command line, else the one given here: how many Capps or samples. */
export async function measure(name: MeasureName, count: number, work: Work): Promise<void> {
  const fail = (what: string, error: unknown): void => {
    console.error(`${CATALOG[name].title}: ${what}. ${describeError(error)}`);
    process.exitCode = 1;
  };
  try {
    const wanted = wantedCount() ?? count;
    const machine = describeMachine();
    const stage = await openStage(name);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupt(stage, stop));
    await perform(name, { stage, machine, count: wanted, stop: stop.signal }, work).catch((error: unknown) => fail('not measured', error));
    await stage.close();
  } catch (error) {
    fail('it did not begin or end as it should', error);
  }
}

interface Given {
  readonly stage: Stage;
  readonly machine: Machine;
  readonly count: number;
  readonly stop: AbortSignal;
}

async function perform(name: MeasureName, { stage, machine, count, stop }: Given, work: Work): Promise<void> {
  const temporal = await engineOf(stage);
  const file = join(RESULTS, `${name}${temporal.store.startsWith('postgres') ? '-postgres' : ''}.json`);
  rmSync(file, { force: true });
  const { ours, figures } = await work(stage, count);
  // While it was tidied up around it, it measured something else.
  if (stop.aborted) throw new Error('It was interrupted.');
  const result = { measure: name, at: new Date().toISOString(), machine, temporal, ours, figures };
  writeText(file, `${JSON.stringify(result, null, 2)}\n`, 0o644);
  console.log(`${CATALOG[name].title}: ${ours}`);
}

function wantedCount(): number | null {
  const text = process.argv[2] ?? '';
  if (text === '') return null;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`"${text}" is not a number of Capps: say a whole number from 1.`);
}

/** By the server's own word, so that no result can name the wrong store. */
async function engineOf({ stack }: Stage): Promise<{ server: string; store: string }> {
  const { serverVersion, persistenceStore } = await stack.temporal.workflowService.getClusterInfo({});
  return { server: serverVersion ?? '', store: persistenceStore ?? '' };
}

async function interrupt(stage: Stage, stop: AbortController): Promise<void> {
  stop.abort();
  console.error('Tidying up …');
  await stage.close().catch((error: unknown) => console.error(describeError(error)));
  process.exit(130);
}
