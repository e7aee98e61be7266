// What concerns all Capps at once, and what a newcomer waits for meanwhile.
import { configure } from '../../../testbed/rcs-config.ts';
import { tenth } from '../../../testbed/quantiles.ts';
import { processorTime, spentEach, type Spent } from '../../conditions/processor-time.ts';
import { numbered } from '../testbed.ts';
import { untilAtRest } from './at-rest.ts';
import type { Load } from './load.ts';
import { newcomers, type Newcomers } from './newcomers.ts';

/** Newcomers that are measured, also in a storm that is over sooner. */
const LEAST = 20;

export interface Storm {
  readonly seconds: number;
  /** Until hub worker and bridge are at rest again. */
  readonly untilRestSeconds: number;
  /** For each Capp that it concerns. */
  readonly processors: Spent;
  readonly newcomers: Newcomers;
}

/**
 * Takes a hub at rest, and leaves it so. `seconds` is how long `strike` took. The same storm may come again
 * when more Capps are there.
 */
export async function during(
  load: Load,
  name: string,
  { concerned, strike }: { concerned: number; strike: () => Promise<unknown> },
): Promise<Storm> {
  const { layout } = load.testbed.stack;
  const before = await processorTime(layout);
  const begun = performance.now();
  let ended: number | null = null;
  const struck = strike().finally(() => {
    ended = performance.now();
  });
  const [met] = await Promise.all([
    newcomers(load, `${name}-${load.population.names().length}`, (taken) => ended === null || taken < LEAST),
    struck,
  ]);
  await untilAtRest(layout);
  const processors = spentEach(before, await processorTime(layout), concerned);
  return {
    seconds: secondsFrom(begun, ended ?? Number.NaN),
    untilRestSeconds: secondsFrom(begun, performance.now()),
    processors,
    newcomers: met,
  };
}

function secondsFrom(begun: number, ended: number): number {
  return tenth((ended - begun) / 1000);
}

/** So many more at once, until all are Ready. */
export function arrivals(load: Load, count: number): Promise<Storm> {
  const names = numbered('arrival', count);
  const strike = async (): Promise<void> => {
    await load.population.add(names);
    await load.population.allReady(names);
  };
  return during(load, 'arrivals', { concerned: count, strike });
}

/** So many deleted at once, until all are gone. */
export function deletions(load: Load, count: number): Promise<Storm> {
  const leaving = load.population.names().slice(0, count);
  return during(load, 'deletions', {
    concerned: leaving.length,
    strike: () => load.population.remove(leaving),
  });
}

/**
 * The RCSConfig names another Placement, which decides for one cluster only: every Capp elsewhere may have to
 * go, and stays, since its site is well.
 */
export async function configuration(load: Load, placement: string): Promise<Storm> {
  const undos: (() => Promise<void>)[] = [];
  const storm = await during(load, 'configuration', {
    concerned: load.population.names().length,
    strike: async () => void undos.push(await configure(load.testbed.hub, { placements: [placement] })),
  });
  for (const undo of undos) await undo();
  await untilAtRest(load.testbed.stack.layout);
  return storm;
}

/** Killed, until it is ready again, which means that it knows all. */
export function restart(load: Load, process: string): Promise<Storm> {
  return during(load, `restart-${process}`, {
    concerned: load.population.names().length,
    strike: () => load.testbed.stack.kill(process),
  });
}
