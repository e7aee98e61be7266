// What each kind of fleet object does in the same stories, one kind after the other: how long, at what cost.
import { eventually } from '../../../testbed/eventually.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { tenth } from '../../../testbed/quantiles.ts';
import { writesSince, writesSoFar } from '../../../testbed/at-rest/writes.ts';
import { processorTime, spentEach, type Spent } from '../../conditions/processor-time.ts';
import { numbered, type Testbed } from '../testbed.ts';
import type { Appliers } from './appliers.ts';
import type { FleetSide } from './kinds.ts';
import { SITES_ALONE_MS, type StagedSites } from './sites.ts';

export interface FleetStory {
  readonly seconds: number;
  /** Of the time that the sites alone take. */
  readonly timesTheSites: number;
  /** Milliseconds of processor time for one change of one site. */
  readonly processors: Spent;
  /** Writes to the hub for one change of one site, without those of its OCM agent. */
  readonly writes: number;
  readonly writesBy: Readonly<Record<string, number>>;
}

const PATIENCE = { withinMs: 1_200_000, everyMs: 50 };
const MANY = 10;
const IMAGE = 'app';

export interface FleetWorld {
  readonly testbed: Testbed;
  readonly sites: StagedSites;
  readonly appliers: Appliers;
}

/** Leaves no object and no work behind. */
export async function storiesOfSide(
  world: FleetWorld,
  side: FleetSide,
): Promise<Readonly<Record<string, FleetStory>>> {
  const one = ['one'];
  const many = numbered('many', MANY);
  const told: Record<string, FleetStory> = {};
  const tell = async (title: string, names: readonly string[], image: string, middle?: Middle) => {
    const story = await rollout(world, side, { names, image: `${IMAGE}:${image}`, middle });
    told[title] = story;
    console.log(
      `${side.title}, ${title}: ${story.seconds} s, ${story.timesTheSites} times what the sites take`,
    );
  };
  await tell('first rollout', one, 'v1');
  await tell('edit', one, 'v2');
  await tell('edit, restarted in the middle', one, 'v3', () => world.testbed.stack.kill(side.killed));
  await tell(`first rollout of ${MANY} at once`, many, 'v4');
  await tell(`edit of ${MANY} at once`, many, 'v5');
  for (const name of [...one, ...many]) await side.remove(name);
  await eventually(() => noneLeft(world), PATIENCE);
  return told;
}

type Middle = () => Promise<unknown>;

interface Rollout {
  readonly names: readonly string[];
  readonly image: string;
  readonly middle: Middle | undefined;
}

async function rollout(
  { testbed, sites, appliers }: FleetWorld,
  side: FleetSide,
  { names, image, middle }: Rollout,
): Promise<FleetStory> {
  const { stack, hub } = testbed;
  const clusters = [{ name: 'hub', kube: hub }];
  const changes = names.length * sites.names.length;
  const before = { cost: await processorTime(stack.layout), writes: await writesSoFar(clusters) };
  const ofSites = appliers.written();
  const begun = performance.now();
  await Promise.all(names.map((name) => side.write(name, image)));
  if (middle !== undefined) {
    await eventually(() => (appliers.having(image) >= changes / 2 ? true : undefined), PATIENCE);
    await middle();
  }
  await eventually(() => allDone(side, names, appliers.having(image) === changes), PATIENCE);
  const ms = performance.now() - begun;
  const after = { cost: await processorTime(stack.layout), writes: await writesSoFar(clusters) };
  const grown = writesSince(before.writes, after.writes).filter(({ resource }) => !AT_REST.test(resource));
  const all = grown.reduce((sum, { requests }) => sum + requests, 0) - (appliers.written() - ofSites);
  return {
    seconds: tenth(ms / 1000),
    timesTheSites: Math.round((100 * ms) / SITES_ALONE_MS) / 100,
    processors: spentEach(before.cost, after.cost, changes),
    writes: tenth(all / changes),
    writesBy: Object.fromEntries(grown.map(({ resource, requests }) => [resource, requests])),
  };
}

/** What is written at rest, too. */
const AT_REST = /^(leases|addonplacementscores|managedclusteraddons|managedclusters)(\/|$)/;

async function allDone(
  side: FleetSide,
  names: readonly string[],
  haveAll: boolean,
): Promise<true | undefined> {
  if (!haveAll) return undefined;
  for (const name of names) if (!(await side.isDone(name))) return undefined;
  return true;
}

/** A site also has works of its add-ons, which stay. */
async function noneLeft({ testbed: { hub }, sites }: FleetWorld): Promise<true | undefined> {
  const { items } = await hub.list<ManifestWork>(MANIFEST_WORK);
  const ofSites = new Set(sites.names);
  const isOfFleet = ({ metadata, spec }: ManifestWork) =>
    ofSites.has(metadata.namespace ?? '') && JSON.stringify(spec).includes(`"${IMAGE}:`);
  return items.some(isOfFleet) ? undefined : true;
}
