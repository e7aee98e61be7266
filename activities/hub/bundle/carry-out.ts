// Does what a look at a Bundle has come to: writes the works that the plan names, and deletes those that may
// go.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { Kube } from '../../../kube/client.ts';
import type { HubCaches } from '../caches.ts';
import type { RemovedCopies } from '../rollout/kind.ts';
import { askEach } from '../rollout/writes.ts';
import type { Refusal } from './manifests/manifests.ts';
import type { Owners } from './owners/heirs.ts';
import { awaitedOn, sayingWhatStays, stayingUntilOrphaned } from './orphaning.ts';
import { letGo } from './retire.ts';
import { restore, type RestoredRevision, type Restoring } from './revisions.ts';
import { isStill } from './manifests/load.ts';
import { removeAll, shipAll, tellAll, type RemovalErrand, type ShippedBundle } from './ship.ts';
import type { BundleLook } from './sight.ts';
import type { BundleWork } from './status/seen.ts';

export interface BundleOrder extends Restoring {
  readonly kube: Kube;
  readonly caches: Pick<HubCaches, 'bundleWorks' | 'clusters'>;
  /** As it was read, with the newest revision. */
  readonly newest: RestoredRevision & Owners;
  /** As it was last written. */
  readonly bundle: Bundle;
  readonly look: BundleLook;
}

/**
 * What became of each work that was to be written, by cluster. Throws ApiError when the API server does not
 * answer: what was done is found by the next try.
 */
export async function shipAs(
  order: BundleOrder,
  most: number,
  now: number,
): Promise<ReadonlyMap<string, ShippedBundle>> {
  const shipped = new Map<string, ShippedBundle>();
  const chosen = Map.groupBy(order.look.plan.advance.slice(0, most), ({ revision }) => revision);
  for (const [revision, sites] of chosen) {
    const clusters = sites.map(({ cluster }) => cluster);
    for (const [cluster, one] of await shipTo(order, revision, clusters, now)) shipped.set(cluster, one);
  }
  return shipped;
}

async function shipTo(
  { kube, newest, terms, heldBack, look, bundle }: BundleOrder,
  revision: string,
  clusters: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, ShippedBundle>> {
  const found = isSameRevision(revision, newest.rendered.revision)
    ? (heldBack(newest.loaded) ?? newest)
    : await restore(kube, bundle, revision, { terms, heldBack });
  if ('reason' in found) return withoutRevision(look, clusters, found);
  const { freed, hasHeir } = newest;
  const errand = { kube, bundle, hasHeir, isStill: () => isStill(kube, found.bundle, found.loaded) };
  return shipAll(
    errand,
    clusters.map((cluster) => found.rendered.workOn(cluster, now, freed.get(cluster))),
  );
}

/** A site that has nothing yet waits for its turn rather than to fail for what it is not meant to keep. */
function withoutRevision(
  { members, plan }: BundleLook,
  clusters: readonly string[],
  refusal: Refusal,
): ReadonlyMap<string, ShippedBundle> {
  const isNew = new Set(
    members.filter(({ target }) => target.revision === null).map(({ site }) => site.cluster),
  );
  const isForward = plan.rollout.direction === 'Forward';
  const becomes = (cluster: string): ShippedBundle =>
    isForward && isNew.has(cluster) ? { is: 'waits', refusal: null } : { is: 'refused', refusal };
  return new Map(clusters.map((cluster) => [cluster, becomes(cluster)]));
}

type Leaving = Pick<BundleOrder, 'kube' | 'caches' | 'bundle'> & Pick<RemovalErrand, 'isStill'>;

/** Throws ApiError when the API server does not answer: what was done is found by the next try. */
export async function removeReleased(
  { kube, caches, bundle, isStill: isSame }: Leaving,
  { released, left }: Pick<BundleLook, 'released' | 'left'>,
): Promise<RemovedCopies> {
  const on = (clusters: readonly string[]): BundleWork[] => {
    const those = new Set(clusters);
    return left.filter(({ metadata }) => those.has(metadata.namespace ?? ''));
  };
  const going = on(released.clusters);
  const ending = left.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const staysYet = stayingUntilOrphaned(kube, caches, bundle);
  const errand = { kube, staysYet, isStill: isSame };
  const untold = on(released.awaited).filter((work) => awaitedOn(caches, bundle, work) === 'Untold');
  const sayStaying = sayingWhatStays(kube, caches, bundle);
  await askEach(going, sayStaying);
  const removed = await removeAll(errand, going);
  const told = await tellAll(errand, untold);
  await letGo(kube, bundle, [...going, ...ending]);
  return {
    ...removed,
    unremoved: [...removed.unremoved, ...told.unremoved],
    unanswered: [...(removed.unanswered ?? []), ...released.awaited],
    isMore: told.isMore === true,
  };
}
