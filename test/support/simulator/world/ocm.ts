// What OCM and its administrators do in the simulator: clusters come, go, are tainted or lost, and placements
// decide anew.
import { INGRESS_CLAIM } from '../../../../crds/ocm/cluster-claim.ts';
import { DNS, ingressOf } from './dns.ts';
import {
  AVAILABLE,
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type ManifestWork,
} from '../../../../crds/ocm/ocm.ts';
import {
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type Placement,
  type PlacementDecision,
} from '../../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../../crds/hub/rcs-config.ts';
import { RING, ringOf, SITES } from './names.ts';
import type { World } from './world.ts';

const PLACEMENTS = ['all', 'edge'] as const;
const NAMESPACE = 'placements';

export interface Facts {
  readonly accepted: boolean;
  readonly available: boolean;
  readonly tainted: boolean;
}

export const GOOD: Facts = { accepted: true, available: true, tainted: false };

export function clusterOf(world: World, name: string): ManagedCluster | null {
  return world.server.read(MANAGED_CLUSTER, { namespace: null, name }) as ManagedCluster | null;
}

export function isGoing(world: World, name: string): boolean {
  return clusterOf(world, name)?.metadata.deletionTimestamp !== undefined;
}

export function factsOf({ spec, status }: ManagedCluster): Facts {
  return {
    accepted: spec?.hubAcceptsClient === true,
    available: status?.conditions?.find(({ type }) => type === AVAILABLE)?.status === 'True',
    tainted: (spec?.taints ?? []).length > 0,
  };
}

export function changeCluster(world: World, name: string, change: Partial<Facts>): void {
  const before = clusterOf(world, name);
  if (before === null) return;
  const facts = { ...factsOf(before), ...change };
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name }, (cluster) => ({
    ...cluster,
    ...bodyOf(name, facts, cluster),
  }));
  world.clock.after(world.between(50, 5_000), () => place(world));
}

export function attach(world: World, name: string): void {
  world.server.namespaces.add(name);
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name }, () =>
    bodyOf(name, GOOD, null),
  );
  world.clock.after(world.between(200, 5_000), () => place(world));
}

function bodyOf(
  name: string,
  { accepted, available, tainted }: Facts,
  before: ManagedCluster | null,
): ManagedCluster {
  const taints = tainted ? [{ key: 'maintenance', effect: 'NoSelect' as const }] : [];
  return {
    metadata: { ...before?.metadata, name, labels: { [RING]: ringOf(name) } },
    spec: { hubAcceptsClient: accepted, taints },
    status: {
      conditions: [{ type: AVAILABLE, status: available ? 'True' : 'Unknown' }],
      clusterClaims: [{ name: INGRESS_CLAIM, value: ingressOf(name) }],
    },
  };
}

/** Begins to delete a cluster; in a while it is gone with its namespace and its works. */
export function detach(world: World, name: string): void {
  const key = { namespace: null, name };
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, key, (cluster) =>
    cluster === null
      ? null
      : {
          ...cluster,
          metadata: {
            ...cluster.metadata,
            finalizers: ['ocm'],
            deletionTimestamp: new Date(world.clock.now).toISOString(),
          },
        },
  );
  world.clock.after(world.between(50, 5_000), () => place(world));
  world.clock.after(world.between(1_000, 300_000), () => {
    if (!isGoing(world, name)) return;
    world.server.put(MANAGED_CLUSTER, key, () => null);
    world.server.namespaces.delete(name);
    for (const { metadata } of worksOn(world, name))
      world.server.put(MANIFEST_WORK, { namespace: name, name: metadata.name }, () => null);
    world.site(name)?.clear();
    place(world);
  });
}

export function worksOn(world: World, cluster: string): ManifestWork[] {
  return (world.server.all(MANIFEST_WORK) as ManifestWork[]).filter(
    ({ metadata }) => metadata.namespace === cluster,
  );
}

/** A cluster's site is away or back; the hub hears of that later. */
export function reach(world: World, name: string, up: boolean): void {
  const site = world.site(name);
  site?.turn('up', up);
  world.tally.note(`a site is ${up ? 'back' : 'lost'}`);
  world.clock.after(up ? world.between(1_000, 60_000) : world.between(60_000, 300_000), () => {
    if (site?.up === up) changeCluster(world, name, { available: up });
  });
}

export function decidedBy(world: World, placement: string): readonly string[] {
  const decision = world.server.read(PLACEMENT_DECISION, {
    namespace: NAMESPACE,
    name: `${placement}-1`,
  }) as PlacementDecision | null;
  return (decision?.status?.decisions ?? []).map(({ clusterName }) => clusterName);
}

/** OCM decides anew: what was decided for stays if it still may, unless it flaps. */
export function place(world: World): void {
  for (const placement of PLACEMENTS) {
    const decided = decide(world, placement);
    const isWhole = placement !== 'all' || !world.slips(0.1);
    announce(world, placement, decided, isWhole ? decided.length : decided.length + 1);
    if (!isWhole) world.clock.after(world.between(100, 3_000), () => place(world));
  }
}

function decide(world: World, placement: string): readonly string[] {
  const fit = world.placing.members(placement).filter((name) => isFit(world, name));
  const held = decidedBy(world, placement);
  const order = (name: string): number =>
    world.flaps && !world.calm ? world.random.next() : held.includes(name) ? 0 : 1;
  const keyed = fit.map((name) => [order(name), name] as const).toSorted((a, b) => a[0] - b[0]);
  return keyed.slice(0, world.placing.number(placement)).map(([, name]) => name);
}

function isFit(world: World, name: string): boolean {
  const cluster = clusterOf(world, name);
  if (cluster === null || cluster.metadata.deletionTimestamp !== undefined) return false;
  const { accepted, available, tainted } = factsOf(cluster);
  return accepted && available && !tainted;
}

/** Decisions and their count are two objects, and are written one after the other. */
export function announce(world: World, placement: string, clusters: readonly string[], count: number): void {
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: '' }));
  world.server.put<PlacementDecision>(
    PLACEMENT_DECISION,
    { namespace: NAMESPACE, name: `${placement}-1` },
    (before) => ({
      metadata: {
        ...before?.metadata,
        namespace: NAMESPACE,
        name: `${placement}-1`,
        labels: { [PLACEMENT_LABEL]: placement },
      },
      status: { decisions },
    }),
  );
  world.server.put<Placement>(PLACEMENT, { namespace: NAMESPACE, name: placement }, (before) => ({
    metadata: { ...before?.metadata, namespace: NAMESPACE, name: placement },
    spec: { numberOfClusters: world.placing.number(placement) },
    status: { numberOfSelectedClusters: count },
  }));
}

export function configure(world: World, placements: readonly string[] | null): void {
  world.server.put<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY, (before) =>
    placements === null
      ? null
      : {
          apiVersion: RCS_CONFIG.apiVersion,
          kind: RCS_CONFIG.kind,
          metadata: { ...before?.metadata, ...RCS_CONFIG_KEY },
          spec: {
            placements: [...placements],
            placementsNamespace: NAMESPACE,
            invalidHostnamePatterns: [],
            pinning: 'Any',
            ...(world.knows('records') ? { dns: DNS } : {}),
          },
        },
  );
}

/** All is well, as it is before anything happens. */
export function settleOcm(world: World): void {
  for (const name of [...world.names, 'local-cluster']) {
    world.server.namespaces.add(name);
    world.server.put<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name }, () =>
      bodyOf(name, GOOD, null),
    );
  }
  for (const namespace of [NAMESPACE, RCS_CONFIG_KEY.namespace, 'team'])
    world.server.namespaces.add(namespace);
  configure(world, ['all', 'edge']);
  if (world.placing.isWide) return place(world);
  const first = world.random.pick(SITES);
  announce(world, 'all', [first], 1);
  announce(world, 'edge', ['site-2', 'site-3'], 2);
}
