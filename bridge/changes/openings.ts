// Tells to which clusters something may be sent by name since a change of clustersets, of their bindings, of
// Placements or of clusters, and to which it may no longer.
import { isDeepStrictEqual } from 'node:util';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { pinningOf } from '../../crds/ocm/pinning.ts';
import { MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING, PLACEMENT } from '../../crds/ocm/placements.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Change } from '../../kube/watch/store.ts';
import type { Ring } from '../../workflows/types/ring.ts';
import type { Watched } from './watched.ts';

export type OpeningsWatched = Pick<
  Watched,
  'clusters' | 'clusterSets' | 'configs' | 'placements' | 'setBindings'
>;

/** The object that changed, and its kind, of which a cache must have it. */
export type Opened = (clusters: ReadonlySet<string>, changed: KubeObject, kind: string) => void;

/**
 * Calls with the clusters that have become open or closed by name. What was so before is remembered, since of
 * several changes that a list shows at once each alone may have changed nothing. Of a cluster only its labels
 * count here: that it goes rings by itself, and so does the RCSConfig. Returns the functions that
 * end it.
 */
export function listenToOpenings(watched: OpeningsWatched, opened: Opened): (() => void)[] {
  const open = new Set<string>();
  /** Which of these have changed. */
  const look = (clusters: readonly ManagedCluster[]): ReadonlySet<string> => {
    const mayPin = pinningOf(watched, watched.configs.list()[0]?.spec);
    const changed = clusters.filter(({ metadata: { name, labels } }) => mayPin(labels) !== open.has(name));
    const names = new Set(changed.map(({ metadata }) => metadata.name));
    for (const name of names) if (!open.delete(name)) open.add(name);
    return names;
  };
  const lookAtAll = (kind: string, change: Change<KubeObject & { readonly spec?: unknown }>): void => {
    const { type, object, previous, initial } = change;
    if (type === 'Modified' && isDeepStrictEqual(previous.spec, object.spec)) return;
    const changed = look(watched.clusters.list());
    if (!initial && changed.size > 0) opened(changed, object, kind);
  };
  const lookAtCluster = ({ type, object, previous, initial }: Change<ManagedCluster>): void => {
    const { name, labels } = object.metadata;
    if (type === 'Deleted') return void open.delete(name);
    if (type === 'Modified' && isDeepStrictEqual(previous.metadata.labels, labels)) return;
    const changed = look([object]);
    if (!initial && changed.size > 0) opened(changed, object, MANAGED_CLUSTER.kind);
  };
  look(watched.clusters.list());
  return [
    watched.clusterSets.subscribe((change) => lookAtAll(MANAGED_CLUSTER_SET.kind, change)),
    watched.setBindings.subscribe((change) => lookAtAll(MANAGED_CLUSTER_SET_BINDING.kind, change)),
    watched.placements.subscribe((change) => lookAtAll(PLACEMENT.kind, change)),
    watched.configs.subscribe(() => void look(watched.clusters.list())),
    watched.clusters.subscribe(lookAtCluster),
  ];
}

/** How new caches must be that know what is open: the newest changes that were seen here. */
export function versionsOfOpenings({
  clusterSets,
  placements,
  setBindings,
}: OpeningsWatched): Ring['minimumVersions'] {
  const seen = [
    [MANAGED_CLUSTER_SET.kind, clusterSets.changedAt()],
    [MANAGED_CLUSTER_SET_BINDING.kind, setBindings.changedAt()],
    [PLACEMENT.kind, placements.changedAt()],
  ] as const;
  return Object.fromEntries(seen.filter(([, version]) => version !== ''));
}
