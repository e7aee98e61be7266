// What OCM and its administrators do in the simulator: clusters come, go, are tainted or lost, and placements decide anew.
import type { Cluster } from './hub.ts';
import type { World } from './world.ts';

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  all: ['local-cluster', 'site-1', 'site-2', 'site-3'],
  edge: ['site-2', 'site-3'],
};

export const GOOD: Cluster = { isHub: false, accepted: true, deleting: false, available: true, tainted: false };

export function changeCluster(world: World, name: string, change: Partial<Cluster>): void {
  const clusters = world.hub.get('ManagedCluster');
  const before = clusters[name];
  if (before === undefined) return;
  if (Object.entries(change).every(([key, value]) => before[key as keyof Cluster] === value)) return;
  world.hub.write('ManagedCluster', { ...clusters, [name]: { ...before, ...change } });
  world.clock.after(world.between(200, 5_000), () => place(world));
}

/** Begins to delete a cluster; in a while it is gone with its works. */
export function detach(world: World, name: string): void {
  changeCluster(world, name, { deleting: true });
  world.clock.after(world.between(1_000, 300_000), () => {
    const { [name]: gone, ...clusters } = world.hub.get('ManagedCluster');
    if (gone?.deleting !== true) return;
    world.hub.write('ManagedCluster', clusters);
    const { [name]: work, ...works } = world.hub.get('ManifestWork');
    if (work !== undefined) world.hub.write('ManifestWork', works);
    world.site(name)?.clear();
    place(world);
  });
}

export function attach(world: World, name: string): void {
  const clusters = world.hub.get('ManagedCluster');
  world.hub.write('ManagedCluster', { ...clusters, [name]: GOOD });
  world.clock.after(world.between(200, 5_000), () => place(world));
}

/** A cluster's site is away or back; the hub hears of that later. */
export function reach(world: World, name: string, up: boolean): void {
  const site = world.site(name);
  site?.turn('up', up);
  world.clock.after(up ? world.between(1_000, 60_000) : world.between(60_000, 300_000), () => {
    if (site?.up === up) changeCluster(world, name, { available: up });
  });
}

/** OCM decides anew: what was decided for stays if it still may, unless it flaps. */
export function place(world: World): void {
  const clusters = world.hub.get('ManagedCluster');
  const before = world.hub.get('PlacementDecision');
  const isFit = (name: string): boolean => {
    const facts = clusters[name];
    return facts !== undefined && facts.accepted && !facts.deleting && facts.available && !facts.tainted;
  };
  const decide = (placement: string, count: number): readonly string[] => {
    const fit = (MEMBERS[placement] ?? []).filter(isFit);
    const held = before[placement]?.clusters ?? [];
    const order = (name: string): number => (world.flaps && !world.calm ? world.random.next() : held.includes(name) ? 0 : 1);
    const keyed = fit.map((name) => [order(name), name] as const).toSorted((a, b) => a[0] - b[0]);
    return keyed.slice(0, count).map(([, name]) => name);
  };
  const after = {
    all: { clusters: decide('all', 2), complete: !world.slips(0.1) },
    edge: { clusters: decide('edge', 1), complete: true },
  };
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  world.hub.write('PlacementDecision', after);
  if (!after.all.complete) world.clock.after(world.between(100, 3_000), () => place(world));
}
