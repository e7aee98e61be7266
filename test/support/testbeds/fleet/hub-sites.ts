// What a hub in memory knows of its sites, and what its Placements select of them.
import { AVAILABLE, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Placement, PlacementDecision } from '../../../../crds/ocm/placements.ts';
import type { Key, KubeObject } from '../../../../kube/resource.ts';
import { aCluster } from '../../builders/fleet/sets.ts';

export interface HubSites {
  /** The Placement decides for these sites, on pages of a hundred; `number` is its `numberOfClusters`. */
  select(placement: string, clusters: readonly string[], number?: number): void;
  relabel(cluster: string, labels: Readonly<Record<string, string>>): void;
  /** Whether the site's agent renews its lease. */
  reach(cluster: string, isReachable: boolean): void;
  /** Whether the hub takes it for a member. */
  accept(cluster: string, isAccepted: boolean): void;
  /** The site's ManagedCluster is gone. */
  forget(cluster: string): void;
}

interface Placed {
  readonly placement: Placement;
  readonly pages: readonly PlacementDecision[];
}

/** `caches` are those of clusters, Placements and decisions. */
export function hubSites(clusters: readonly string[]): { readonly sites: HubSites; readonly caches: object } {
  const known = new Map(clusters.map((name) => [name, heard(aCluster(name), true)]));
  const placed = new Map<string, Placed>();
  const change = (name: string, become: (before: ManagedCluster) => ManagedCluster): void => {
    const before = known.get(name);
    if (before !== undefined) known.set(name, become(before));
  };
  const none = { get: () => undefined, list: () => [], by: () => [], caughtUpWith: () => true };
  return {
    sites: {
      select: (name, selected, number) => void placed.set(name, placedOn(name, selected, number)),
      relabel: (name, labels) => void known.set(name, heard(aCluster(name, labels), true)),
      reach: (name, isReachable) => change(name, (before) => heard(before, isReachable)),
      accept: (name, isAccepted) =>
        change(name, (before) => ({ ...before, spec: { ...before.spec, hubAcceptsClient: isAccepted } })),
      forget: (name) => void known.delete(name),
    },
    caches: {
      clusters: {
        ...none,
        get: ({ name }: Key) => known.get(name),
        list: () => [...known.values()],
      },
      placements: { ...none, get: ({ name }: Key) => placed.get(name)?.placement },
      decisions: {
        ...none,
        by: (_: string, key: string) => placed.get(key.split('/')[1] ?? '')?.pages ?? [],
      },
    },
  };
}

/** Objects by their names, which may be others then. */
export function rewrite<T extends KubeObject>(stored: Map<string, T>, become: (one: T) => T): void {
  const all = [...stored.values()].map(become);
  stored.clear();
  for (const one of all) stored.set(one.metadata.name, one);
}

function heard(cluster: ManagedCluster, isReachable: boolean): ManagedCluster {
  const lastTransitionTime = new Date().toISOString();
  const status = isReachable ? ('True' as const) : ('Unknown' as const);
  const condition = { type: AVAILABLE, status, lastTransitionTime };
  return { ...cluster, status: { ...cluster.status, conditions: [condition] } };
}

function placedOn(name: string, clusters: readonly string[], number?: number): Placed {
  const metadata = { name, uid: `uid-${name}` };
  const pages = Array.from({ length: Math.ceil(clusters.length / 100) }, (_, page) => ({
    metadata: { name: `${name}-decision-${page + 1}` },
    status: {
      decisions: clusters
        .slice(page * 100, (page + 1) * 100)
        .map((clusterName) => ({ clusterName, reason: '' })),
    },
  }));
  const spec = number === undefined ? {} : { numberOfClusters: number };
  const status = { numberOfSelectedClusters: clusters.length };
  return { placement: { metadata, spec, status }, pages };
}
