// What grows with the number of Capps: the cost of one more, memory, starts, storms, and what a newcomer waits
// for meanwhile. The hub is real; its sites are simulated, since two of them cannot hold so many.
//
// Usage: node bench/measures/growth.ts [Capps]
import { simulateAgents, type SimulatedAgents } from '../load/growth/agents.ts';
import { untilAtRest } from '../load/growth/at-rest.ts';
import { makeClusters, type Clusters } from '../load/growth/clusters.ts';
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
/** With so many Capps, or all of them if they are fewer. */
const STORMS_AT = 3_000;

await measure('growth', 3_000, async (testbed, count) => {
  const fleet = await prepare(testbed);
  const { load } = fleet;
  const figures: Record<string, unknown> = { clusters: CLUSTERS };
  const levels: Grown[] = [];
  for (const capps of levelsUpTo(count)) {
    await fill(load, capps);
    levels.push(await grown(load));
    if (capps !== Math.min(STORMS_AT, count)) continue;
    figures['storms'] = await weather(fleet);
    const lost = await temporalLost(load);
    console.log(
      `Temporal lost: ${lost.capps} Capps in ${lost.seconds} s, ${lost.worksChanged} works changed`,
    );
    figures['temporalLost'] = lost;
  }
  const [first, last] = [levels[0], levels.at(-1)];
  return {
    ours: `one more costs ${cost(first)} ms with ${first?.capps ?? 0} there, ${cost(last)} ms with ${last?.capps ?? 0}`,
    figures: { ...figures, levels },
  };
});

interface Grown extends Level {
  readonly bridgeStarts: Storm;
  readonly hubWorkerStarts: Storm;
}

async function grown(load: Load): Promise<Grown> {
  const level = await measureLevel(load);
  const { capps, alone } = level;
  console.log(
    `with ${capps} Capps: ${cost(level)} ms for one more, alone p50 ${alone.cappMs.p50} ms, ${alone.ratio} times the floor`,
  );
  const bridgeStarts = told('the bridge restarts', await restart(load, 'bridge'));
  const hubWorkerStarts = told('the hub worker restarts', await restart(load, 'hub-worker'));
  return { ...level, bridgeStarts, hubWorkerStarts };
}

interface Fleet {
  readonly load: Load;
  readonly clusters: Clusters;
  readonly agents: SimulatedAgents;
}

/** One storm after the other. */
async function weather({ load, clusters, agents }: Fleet): Promise<Record<string, Storm>> {
  const changed = told('the RCSConfig changes', await configuration(load, clusters.narrow));
  const created = told(`${STORM} more at once`, await arrivals(load, STORM));
  const deleted = told(`${STORM} deleted at once`, await deletions(load, STORM));
  const drained = told(`a site of ${EMPTIED} is drained`, await emptying(load, clusters, EMPTIED));
  const { silent, back } = await silence(load, agents);
  told('all agents fall silent', silent);
  told('all agents are back', back);
  return { changed, created, deleted, drained, silent, back };
}

function told(name: string, storm: Storm): Storm {
  const { seconds, untilRestSeconds, newcomers } = storm;
  console.log(
    `${name}: ${seconds} s, at rest after ${untilRestSeconds} s, a newcomer p50 ${newcomers.cappMs.p50} ms, ${newcomers.ratio} times the floor`,
  );
  return storm;
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
