// What grows with the number of Capps: the cost of one more, memory, starts, storms, and what a newcomer waits
// for meanwhile. The hub is real; its sites are simulated, since two of them cannot hold so many.
//
// Usage: node bench/measures/growth.ts [Capps]
import { simulateAgents } from '../load/growth/agents.ts';
import { untilAtRest } from '../load/growth/at-rest.ts';
import { makeClusters } from '../load/growth/clusters.ts';
import { measureLevel, type Level } from '../load/growth/level.ts';
import type { Load } from '../load/growth/load.ts';
import { population } from '../load/growth/population.ts';
import { arrivals, configuration, deletions, restart, type Storm } from '../load/growth/storms.ts';
import { measure } from '../measure.ts';
import { smallestWorkflows } from '../load/smallest-workflows.ts';
import { numbered, type Testbed } from '../load/testbed.ts';
import { tenth } from '../../testbed/quantiles.ts';

const CLUSTERS = 100;
/** Few enough that the hub worker keeps all their workflows in memory. */
const FEW = 200;
const STEP = 1_000;
const STORM = 600;

await measure('growth', 3_000, async (testbed, count) => {
  const { load, narrow } = await prepare(testbed);
  const levels: Level[] = [];
  for (const capps of levelsUpTo(count)) {
    await fill(load, capps);
    const level = await measureLevel(load);
    levels.push(level);
    console.log(
      `with ${capps} Capps: ${cost(level)} ms for one more, alone p50 ${level.alone.cappMs.p50} ms`,
    );
  }
  const storms: Record<string, Storm> = {};
  for (const [name, strike] of stormsFor(load, narrow)) {
    const storm = await strike();
    storms[name] = storm;
    console.log(
      `${name}: ${storm.seconds} s, a newcomer ${storm.newcomers.ratio} times the smallest workflow`,
    );
  }
  const [first, last] = [levels[0], levels.at(-1)];
  return {
    ours: `one more costs ${cost(first)} ms with ${first?.capps ?? 0} there, ${cost(last)} ms with ${last?.capps ?? 0}`,
    figures: { clusters: CLUSTERS, levels, storms },
  };
});

function stormsFor(load: Load, narrow: string): [string, () => Promise<Storm>][] {
  return [
    ['the bridge restarts', () => restart(load, 'bridge')],
    ['the hub worker restarts', () => restart(load, 'hub-worker')],
    ['the RCSConfig changes', () => configuration(load, narrow)],
    [`${STORM} more at once`, () => arrivals(load, STORM)],
    [`${STORM} deleted at once`, () => deletions(load, STORM)],
  ];
}

/** Milliseconds of all processes together, without this one. */
function cost(level?: Level): number {
  const { measure: _sites, ...others } = level?.processors.msEach ?? {};
  return tenth(Object.values(others).reduce((sum, ms) => sum + ms, 0));
}

async function prepare(testbed: Testbed): Promise<{ load: Load; narrow: string }> {
  const { names, narrow } = await makeClusters(testbed, CLUSTERS);
  await simulateAgents(testbed, names);
  const smallest = await smallestWorkflows(testbed);
  return { load: { testbed, smallest, population: await population(testbed) }, narrow };
}

/** 200, 1,000, 3,000, 10,000 and so on, as far as they are below the last. */
function levelsUpTo(last: number): number[] {
  const levels = [FEW, STEP, 3 * STEP, 10 * STEP].filter((level) => level < last);
  return [...levels, last];
}

async function fill({ testbed, population: capps }: Load, wanted: number): Promise<void> {
  const names = numbered(`fill-${wanted}`, Math.max(0, wanted - capps.names().length));
  await capps.add(names);
  await capps.allReady(names);
  await untilAtRest(testbed.stack.layout);
}
