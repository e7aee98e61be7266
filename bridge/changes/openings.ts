// Tells which clusters may be pinned by `spec.site` or `sites.clusters` since a change of clustersets, of
// their bindings, of Placements or of clusters, and which may no longer: they have become open, or closed.
import { isDeepStrictEqual } from 'node:util';
import type { RcsConfig } from '../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { pinningOf } from '../../crds/ocm/pinning.ts';
import {
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type Placement,
} from '../../crds/ocm/placements.ts';
import { keyText, keyTextOf, type Key, type KubeObject } from '../../kube/resource.ts';
import type { Change } from '../../kube/watch/store.ts';
import type { Ring } from '../../workflows/types/ring.ts';
import type { BridgeWatched } from './watched.ts';

export type OpeningsWatched = Pick<
  BridgeWatched,
  'clusters' | 'clusterSets' | 'configs' | 'placements' | 'setBindings'
>;

/** The clusters, the object that changed, and its kind, of which a cache must have it. */
export type Opened = (clusters: ReadonlySet<string>, changed: KubeObject, kind: string) => void;

/** One for all who listen, since each change is compared over all clusters. */
export interface SiteOpenings {
  /** Returns the function that ends it. */
  subscribe(opened: Opened): () => void;
}

/** Watches only while somebody listens. */
export function openingsOf(watched: OpeningsWatched): SiteOpenings {
  const subscribers = new Set<Opened>();
  let ends: readonly (() => void)[] = [];
  const tell: Opened = (clusters, changed, kind) => {
    if (clusters.size > 0) for (const opened of subscribers) opened(clusters, changed, kind);
  };
  return {
    subscribe: (opened) => {
      if (subscribers.size === 0) ends = follow(watched, tell);
      subscribers.add(opened);
      return () => {
        if (!subscribers.delete(opened) || subscribers.size > 0) return;
        for (const end of ends) end();
        ends = [];
      };
    },
  };
}

/** What has been seen, change by change. */
interface Sight {
  readonly sets: Map<string, ManagedClusterSet>;
  readonly bindings: Map<string, ManagedClusterSetBinding>;
  readonly placements: Map<string, Placement>;
  readonly clusters: Map<string, ManagedCluster>;
  config: RcsConfig | undefined;
  /** The clusters that are open by it. Null: to be computed when it is needed. */
  open: Set<string> | null;
}

/**
 * What was open before a change is computed from what was seen until then, only when something changes that
 * is not of a first list: of several changes that a list shows at once each alone may change nothing. Of a
 * cluster only its labels count here: that it goes rings by itself, and so does the RCSConfig.
 */
function follow(watched: OpeningsWatched, tell: Opened): (() => void)[] {
  const sight: Sight = {
    sets: byKey(watched.clusterSets.list()),
    bindings: byKey(watched.setBindings.list()),
    placements: byKey(watched.placements.list()),
    clusters: byKey(watched.clusters.list()),
    config: watched.configs.list()[0],
    open: null,
  };
  const isPlaced = ({ metadata: { namespace } }: KubeObject): boolean =>
    namespace === sight.config?.spec.placementsNamespace;
  const isNamed = (object: KubeObject): boolean =>
    isPlaced(object) && sight.config?.spec.placements?.includes(object.metadata.name) === true;
  const hear = hearing(sight, tell);
  return [
    watched.clusterSets.subscribe((change) => hear(change, MANAGED_CLUSTER_SET.kind, sight.sets)),
    watched.setBindings.subscribe((change) =>
      hear(change, MANAGED_CLUSTER_SET_BINDING.kind, sight.bindings, isPlaced(change.object)),
    ),
    watched.placements.subscribe((change) =>
      hear(change, PLACEMENT.kind, sight.placements, isNamed(change.object)),
    ),
    watched.configs.subscribe(({ type, object }) => {
      const next = type === 'Deleted' ? undefined : object;
      if (!isDeepStrictEqual(next?.spec, sight.config?.spec)) sight.open = null;
      sight.config = next;
    }),
    watched.clusters.subscribe((change) => hearOfCluster(sight, tell, change)),
  ];
}

type Spoken = KubeObject & { readonly spec?: unknown };

/** What nobody is concerned by is only kept: a change of the RCSConfig may make it count. */
function hearing(sight: Sight, tell: Opened) {
  return <T extends Spoken>(
    { type, object, initial }: Change<T>,
    kind: string,
    known: Map<string, T>,
    concerns = true,
  ): void => {
    const was = known.get(keyTextOf(object));
    const isSame = type !== 'Deleted' && was !== undefined && isDeepStrictEqual(was.spec, object.spec);
    const counts = concerns && !isSame;
    const before = counts && !initial ? allOpen(sight) : null;
    keep(known, type, object);
    if (!counts) return;
    sight.open = null;
    if (before !== null) tell(before.symmetricDifference(allOpen(sight)), object, kind);
  };
}

function hearOfCluster(sight: Sight, tell: Opened, { type, object, initial }: Change<ManagedCluster>): void {
  const { name, labels } = object.metadata;
  const was = sight.clusters.get(name);
  const isSame = was !== undefined && isDeepStrictEqual(was.metadata.labels, labels);
  const before = isSame || initial || type === 'Deleted' ? null : allOpen(sight);
  keep(sight.clusters, type, object);
  if (type === 'Deleted') sight.open?.delete(name);
  else if (before === null) sight.open = isSame ? sight.open : null;
  else if (openIn(sight, [object]).has(name) !== before.has(name)) {
    if (!before.delete(name)) before.add(name);
    tell(new Set([name]), object, MANAGED_CLUSTER.kind);
  }
}

function allOpen(sight: Sight): Set<string> {
  return (sight.open ??= openIn(sight, sight.clusters.values()));
}

function openIn(
  { sets, bindings, placements, config }: Sight,
  clusters: Iterable<ManagedCluster>,
): Set<string> {
  const caches = {
    placements: { get: (key: Key) => placements.get(keyText(key)) },
    setBindings: { list: () => [...bindings.values()] },
    clusterSets: { list: () => [...sets.values()] },
  };
  const mayPin = pinningOf(caches, config?.spec);
  const open = [...clusters].filter(({ metadata: { labels } }) => mayPin(labels));
  return new Set(open.map(({ metadata: { name } }) => name));
}

function byKey<T extends KubeObject>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [keyTextOf(object), object]));
}

function keep<T extends KubeObject>(known: Map<string, T>, type: Change<T>['type'], object: T): void {
  if (type === 'Deleted') known.delete(keyTextOf(object));
  else known.set(keyTextOf(object), object);
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
