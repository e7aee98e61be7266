// What one more Capp costs while so many are there.
import { setTimeout as pause } from 'node:timers/promises';
import { observedProcesses } from '../../../deploy/local/supervise/desired.ts';
import type { Layout } from '../../../deploy/local/layout.ts';
import { tenth } from '../../../testbed/quantiles.ts';
import { processorTime, spentEach, type Spent } from '../../conditions/processor-time.ts';
import { mebibytes } from '../../conditions/resident-memory.ts';
import { numbered } from '../testbed.ts';
import { untilAtRest } from './at-rest.ts';
import type { Load } from './load.ts';
import { newcomers, type Newcomers } from './newcomers.ts';
import { pauseScores } from './scores.ts';

export interface Level {
  /** Capps that were there before. */
  readonly capps: number;
  /** Milliseconds of each process for a second of rest. All sites are scored once a minute. */
  readonly atRest: Spent;
  /** The same with no site scored, as in the measures below. */
  readonly unscored: Spent;
  /** Of a burst of `SAMPLE`: until each has its work. */
  readonly worksPerSecond: number;
  /** Of the same burst until all are Ready and at rest; `msEach` is without what a rest as long takes. */
  readonly processors: Spent;
  /** One at a time, beside the floor. */
  readonly alone: Newcomers;
  /** By process, when all is at rest. */
  readonly residentMiB: Readonly<Record<string, number>>;
}

const SAMPLE = 200;
const ALONE = 30;
const REST_SECONDS = 60;
const SHOWN = ['hub-worker', 'bridge', 'webhook', 'temporal', 'hub-api-server', 'etcd'];

/** Takes a hub at rest, and leaves it so. */
export async function measureLevel(load: Load): Promise<Level> {
  const { population } = load;
  const { layout } = load.testbed.stack;
  const capps = population.names().length;
  const residentMiB = await memory(layout);
  const atRest = await rest(layout);
  const resumeScores = await pauseScores(load.testbed);
  await untilAtRest(layout);
  const unscored = await rest(layout);
  const names = numbered(`at-${capps}`, SAMPLE);
  const before = await processorTime(layout);
  const begun = performance.now();
  const seen = await population.add(names);
  await population.allReady(names);
  await untilAtRest(layout);
  const seconds = (performance.now() - begun) / 1_000;
  const processors = without(
    spentEach(before, await processorTime(layout), SAMPLE),
    unscored,
    seconds / SAMPLE,
  );
  const alone = await newcomers(load, `alone-${capps}`, (taken) => taken < ALONE);
  await untilAtRest(layout);
  await resumeScores();
  return {
    capps,
    atRest,
    unscored,
    worksPerSecond: tenth(SAMPLE / (seen.at(-1) ?? Number.NaN)),
    processors,
    alone,
    residentMiB,
  };
}

async function rest(layout: Layout): Promise<Spent> {
  const before = await processorTime(layout);
  await pause(REST_SECONDS * 1_000);
  return spentEach(before, await processorTime(layout), REST_SECONDS);
}

function without(spent: Spent, atRest: Spent, secondsEach: number): Spent {
  const msEach = Object.entries(spent.msEach).map(
    ([name, ms]) => [name, tenth(ms - (atRest.msEach[name] ?? 0) * secondsEach)] as const,
  );
  return { ...spent, msEach: Object.fromEntries(msEach.filter(([, ms]) => ms >= 0.1)) };
}

async function memory(layout: Layout): Promise<Record<string, number>> {
  const views = await observedProcesses(layout);
  return Object.fromEntries(
    SHOWN.map((name) => {
      const pid = views.find((view) => view.name === name)?.pid ?? null;
      if (pid === null) throw new Error(`${name} does not run. Run "make up" to repair the stack.`);
      return [name, mebibytes(pid, 'VmRSS')];
    }),
  );
}
