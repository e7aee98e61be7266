// What one more Capp costs while so many are there.
import { observedProcesses } from '../../../deploy/local/supervise/desired.ts';
import type { Layout } from '../../../deploy/local/layout.ts';
import { tenth } from '../../../testbed/quantiles.ts';
import { processorTime, spentEach, type Spent } from '../../conditions/processor-time.ts';
import { mebibytes } from '../../conditions/resident-memory.ts';
import { numbered } from '../testbed.ts';
import { untilAtRest } from './at-rest.ts';
import type { Load } from './load.ts';
import { newcomers, type Newcomers } from './newcomers.ts';

export interface Level {
  /** Capps that were there before. */
  readonly capps: number;
  /** Of a burst of `SAMPLE`: until each has its work, and processor time until all are Ready and at rest. */
  readonly worksPerSecond: number;
  readonly processors: Spent;
  /** One at a time, beside the smallest workflow. */
  readonly alone: Newcomers;
  /** By process, when all is at rest. */
  readonly residentMiB: Readonly<Record<string, number>>;
}

const SAMPLE = 100;
const ALONE = 30;
const SHOWN = ['hub-worker', 'bridge', 'webhook', 'temporal', 'hub-api-server', 'etcd'];

/** Takes a hub at rest, and leaves it so. */
export async function measureLevel({ testbed, population, smallest }: Load): Promise<Level> {
  const { layout } = testbed.stack;
  const capps = population.names().length;
  const residentMiB = await memory(layout);
  const names = numbered(`at-${capps}`, SAMPLE);
  const before = await processorTime(layout);
  const seen = await population.add(names);
  await population.allReady(names);
  await untilAtRest(layout);
  const processors = spentEach(before, await processorTime(layout), SAMPLE);
  const alone = await newcomers({ population, smallest }, `alone-${capps}`, (taken) => taken < ALONE);
  await untilAtRest(layout);
  return {
    capps,
    worksPerSecond: tenth(SAMPLE / (seen.at(-1) ?? Number.NaN)),
    processors,
    alone,
    residentMiB,
  };
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
