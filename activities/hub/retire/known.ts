// What the caches are enough for when a Capp is deleted. Pure.
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { HubCaches } from '../caches.ts';
import { isOursByName, namedWorks, type WorkClaim } from '../claim.ts';
import { lossOf } from './reach.ts';

/** By a cache that is as new as the rings ask: then it has every work but one that was made a moment ago. */
export function showsAllWorks(
  { works }: Pick<HubCaches, 'works'>,
  minimumVersions: State['minimumVersions'],
): boolean {
  const version = minimumVersions[MANIFEST_WORK.kind];
  return version !== undefined && works.caughtUpWith(version);
}

/**
 * The Capp's works, if the cache shows that all under its names are the Capp's by that alone, and that none
 * is being deleted: these can be deleted without being read, since their uids are known. Otherwise none.
 */
export function standingIn(caches: Pick<HubCaches, 'works'>, claim: WorkClaim): readonly KubeObject[] {
  const works = namedWorks(caches, claim);
  const isStanding = works.every(
    (work) => work.metadata.deletionTimestamp === undefined && isOursByName(work, claim),
  );
  return isStanding ? works : [];
}

/** That a cluster is lost is read live. A change that the cache lacks rings later. */
export function reachableBy(
  { clusters }: Pick<HubCaches, 'clusters'>,
  minimumVersions: State['minimumVersions'],
): (cluster: string) => boolean {
  const version = minimumVersions[MANAGED_CLUSTER.kind];
  const isNew = version === undefined || clusters.caughtUpWith(version);
  return (name) => isNew && lossOf(clusters.get({ namespace: null, name }) ?? null) === null;
}
