// Waits until the caches are as new as the rings ask. The bridge has watches of its own, so the caches may be
// a moment behind.
import type { Cache } from '../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { HubCaches } from '../caches.ts';
import { MARKED_KINDS, type MarkedKind } from '../../../workflows/types/ring.ts';
import { HUB_TIMES } from '../times.ts';

type Follower = Pick<Cache<KubeObject>, 'caughtUpWith'>;

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
    Drain: caches.drains,
    ManifestWork: caches.works,
    // Where one of these is older, it is read live (decision 15).
    ServiceAccount: undefined,
    RoleBinding: undefined,
  };
  return holdsInTime(() =>
    MARKED_KINDS.every((kind) => {
      const version = minimumVersions[kind];
      return version === undefined || byKind[kind]?.caughtUpWith(version) !== false;
    }),
  );
}

/** Resolves with true as soon as the condition holds, and with false if it does not in time. */
export async function holdsInTime(isSo: () => boolean): Promise<boolean> {
  const end = Date.now() + HUB_TIMES.cacheLag.ms;
  while (!isSo()) {
    if (Date.now() >= end) return false;
    await new Promise((resolve) => void setTimeout(resolve, HUB_TIMES.cachePoll.ms));
  }
  return true;
}
