// A hub with managed clusters whose agents are simulated, filled with so many Capps at rest.
import { numbered, type Testbed } from '../testbed.ts';
import { smallestObjects } from '../smallest-objects.ts';
import { smallestWorkflows } from '../smallest-workflows.ts';
import { simulateAgents, type SimulatedAgents } from './agents.ts';
import { untilAtRest } from './at-rest.ts';
import { makeClusters, type GrownClusters } from './clusters.ts';
import type { Load } from './load.ts';
import { population } from './population.ts';
import type { Storm } from './storms.ts';

export const CLUSTERS = 200;

export interface GrownFleet {
  readonly load: Load;
  readonly clusters: GrownClusters;
  readonly agents: SimulatedAgents;
}

export async function openFleet(testbed: Testbed): Promise<GrownFleet> {
  const clusters = await makeClusters(testbed, CLUSTERS);
  const agents = await simulateAgents(testbed, clusters.names);
  const smallest = await smallestWorkflows(testbed);
  const object = await smallestObjects(testbed);
  const load = { testbed, smallest, object, population: await population(testbed) };
  return { load, clusters, agents };
}

/** So many are created at once while the hub is filled. */
const AT_ONCE = 500;

/** Adds Capps until there are `wanted` and all is at rest. */
export async function fill({ testbed, population: capps }: Load, wanted: number): Promise<void> {
  for (let there = capps.names().length; there < wanted; there = capps.names().length) {
    const names = numbered(`fill-${there}`, Math.min(AT_ONCE, wanted - there));
    await capps.add(names);
    await capps.allReady(names);
  }
  await untilAtRest(testbed.stack.layout);
}

/** Prints a storm, and returns it. */
export function told(name: string, storm: Storm): Storm {
  const { seconds, untilRestSeconds, newcomers } = storm;
  console.log(
    `${name}: ${seconds} s, at rest after ${untilRestSeconds} s, a newcomer p50 ${newcomers.cappMs.p50} ms, ${newcomers.ratio} times the floor`,
  );
  return storm;
}
