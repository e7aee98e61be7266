// What grows with the number of Capps: the cost of one more, memory, starts, storms, and what a newcomer waits
// for meanwhile. The hub is real; its sites are simulated, since two of them cannot hold so many.
//
// Usage: node bench/measures/growth.ts [Capps]
import { simulateAgents, type SimulatedAgents } from '../load/growth/agents.ts';
import { untilAtRest } from '../load/growth/at-rest.ts';
import { makeClusters, type Clusters } from '../load/growth/clusters.ts';
import { dailyLooks } from '../load/growth/daily-looks.ts';
import { emptying } from '../load/growth/emptying.ts';
import { measureLevel, type Level } from '../load/growth/level.ts';
import type { Load } from '../load/growth/load.ts';
import { silence, temporalLost } from '../load/growth/losses.ts';
import { population } from '../load/growth/population.ts';
import { arrivals, configuration, deletions, restart, type Storm } from '../load/growth/storms.ts';
import { measure } from '../measure.ts';
import { smallestObjects } from '../load/smallest-objects.ts';
import { smallestWorkflows } from '../load/smallest-workflows.ts';
import { numbered, type Testbed } from '../load/testbed.ts';
import { tenth } from '../../testbed/quantiles.ts';

const CLUSTERS = 200;
/** Few enough that the hub worker keeps all their workflows in memory. */
const FEW = 200;
const STEP = 1_000;
const STORM = 600;
const EMPTIED = 1_000;

await measure('growth', 3_000, async (testbed, count) => {
  const fleet = await prepare(testbed);
  const { load } = fleet;
  const levels: Level[] = [];
  for (const capps of levelsUpTo(count)) {
    await fill(load, capps);
    const level = await measureLevel(load);
    levels.push(level);
    console.log(
      `with ${capps} Capps: ${cost(level)} ms for one more, alone p50 ${level.alone.cappMs.p50} ms`,
    );
  }
  const looks = await dailyLooks(load);
  const storms = await weather(fleet);
  const lost = await temporalLost(load);
  console.log(`Temporal lost: ${lost.capps} Capps in ${lost.seconds} s, ${lost.worksChanged} works changed`);
  const [first, last] = [levels[0], levels.at(-1)];
  return {
    ours: `one more costs ${cost(first)} ms with ${first?.capps ?? 0} there, ${cost(last)} ms with ${last?.capps ?? 0}`,
    figures: { clusters: CLUSTERS, levels, dailyLooks: looks, storms, temporalLost: lost },
  };
});

interface Fleet {
  readonly load: Load;
  readonly clusters: Clusters;
  readonly agents: SimulatedAgents;
}

/** One storm after the other. */
async function weather({ load, clusters, agents }: Fleet): Promise<Record<string, Storm>> {
  const storms: Record<string, Storm> = {};
  const note = (name: string, storm: Storm): void => {
    storms[name] = storm;
    console.log(`${name}: ${storm.seconds} s, a newcomer ${storm.newcomers.ratio} times the floor`);
  };
  note('the bridge restarts', await restart(load, 'bridge'));
  note('the hub worker restarts', await restart(load, 'hub-worker'));
  note('the RCSConfig changes', await configuration(load, clusters.narrow));
  note(`${STORM} more at once`, await arrivals(load, STORM));
  note(`${STORM} deleted at once`, await deletions(load, STORM));
  note(`a site of ${EMPTIED} is drained`, await emptying(load, clusters, EMPTIED));
  const { silent, back } = await silence(load, agents);
  note('all agents fall silent', silent);
  note('all agents are back', back);
  return storms;
}

/** Milliseconds of all processes together, without this one. */
function cost(level?: Level): number {
  const { measure: _sites, ...others } = level?.processors.msEach ?? {};
  return tenth(Object.values(others).reduce((sum, ms) => sum + ms, 0));
}

async function prepare(testbed: Testbed): Promise<Fleet> {
  const clusters = await makeClusters(testbed, CLUSTERS);
  const agents = await simulateAgents(testbed, clusters.names);
  const smallest = await smallestWorkflows(testbed);
  const object = await smallestObjects(testbed);
  const load = { testbed, smallest, object, population: await population(testbed) };
  return { load, clusters, agents };
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
