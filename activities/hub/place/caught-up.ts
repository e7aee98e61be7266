// Waits until the caches are as new as the rings ask. The bridge has watches of its own, so the caches may be
// a moment behind.
import { deferred } from '../../../kube/deferred.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { HubCaches } from '../caches.ts';
import { MARKED_KINDS, type MarkedKind } from '../../../workflows/types/ring.ts';
import { HUB_TIMES } from '../times.ts';

type Follower = Pick<Cache<KubeObject>, 'caughtUpWith' | 'onSeen'>;

/**
 * Resolves with false if a cache has not reached its minimum version in time. Kinds without a cache do not
 * count.
 */
export async function caughtUp(
  caches: Partial<Readonly<Record<keyof HubCaches, Follower>>>,
  minimumVersions: Readonly<Record<string, string>>,
): Promise<boolean> {
  const byKind: Readonly<Record<MarkedKind, Follower | undefined>> = {
    Capp: caches.capps,
    RCSConfig: caches.configs,
    Placement: caches.placements,
    PlacementDecision: caches.decisions,
    ManagedCluster: caches.clusters,
    ManagedClusterSet: caches.clusterSets,
    ManagedClusterSetBinding: caches.setBindings,
    Drain: caches.drains,
    ManifestWork: caches.works,
    // Where one of these is older, it is read live (decision 15).
    ServiceAccount: undefined,
    RoleBinding: undefined,
  };
  const asked = MARKED_KINDS.flatMap((kind) => {
    const [follower, version] = [byKind[kind], minimumVersions[kind]];
    return follower === undefined || version === undefined ? [] : [{ follower, version }];
  });
  return holdsInTime(
    asked.map(({ follower }) => follower),
    () => asked.every(({ follower, version }) => follower.caughtUpWith(version)),
  );
}

/**
 * Resolves with true as soon as the condition holds, and with false if it does not in time. The condition is
 * asked once at the beginning, and then whenever one of the caches has seen something.
 */
export async function holdsInTime(
  caches: readonly Pick<Follower, 'onSeen'>[],
  isSo: () => boolean,
): Promise<boolean> {
  if (isSo()) return true;
  const { promise, resolve } = deferred<boolean>();
  const look = (): void => {
    if (isSo()) resolve(true);
  };
  const leaves = caches.map((cache) => cache.onSeen(look));
  const timer = setTimeout(() => resolve(false), HUB_TIMES.cacheLag.ms);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    for (const leave of leaves) leave();
  }
}
