// Does what a look at a Bundle has come to: writes the works that the plan names, and deletes those that may
// go.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { BUNDLE_FINALIZER } from '../../../crds/labels.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { Kube } from '../../../kube/client.ts';
import { addFinalizer } from '../../../kube/finalizer.ts';
import { isAtLeast } from '../../../kube/watch/cache.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { noteRemovals } from '../rollout/noted.ts';
import { markersOf, unwritten } from '../rollout/refusals.ts';
import type { Heard } from '../rollout/requests.ts';
import type { Look } from './look.ts';
import type { Refusal } from './manifests/manifests.ts';
import type { Terms } from './manifests/render.ts';
import type { Owners } from './owners/heirs.ts';
import { letGo } from './retire.ts';
import { restore, type Restored } from './revisions.ts';
import { isStill } from './manifests/load.ts';
import { removeAll, shipAll, type Removed, type Shipped } from './ship.ts';

export const BUNDLE_FIELD_MANAGER = 'cappstan-bundle';

export interface Order {
  readonly kube: Kube;
  /** As it is now, with the newest revision. */
  readonly newest: Restored & Owners;
  readonly terms: Terms;
  readonly look: Look;
  /** Requests that have counted just now. */
  readonly asked: Heard['asked'];
  readonly most: number;
  readonly now: number;
}

export interface Done extends Removed {
  /** As it was last written. */
  readonly bundle: Bundle;
  /** Requests that its status does not name yet. */
  readonly asked: Heard['asked'];
  readonly shipped: ReadonlyMap<string, Shipped>;
  readonly refused: Readonly<Record<string, Refused>>;
  /** The newest of what was written; null if nothing was. */
  readonly version: string | null;
  /** There is more to write or to delete than one turn does, or somebody has written meanwhile. */
  readonly isMore: boolean;
}

/** Throws ApiError when the API server does not answer: what was done is found by the next try. */
export async function carryOut(order: Order): Promise<Done> {
  const { kube, look, most, newest } = order;
  const { advance } = look.plan;
  const held =
    advance.length > 0 ? await addFinalizer(kube, BUNDLE, newest.bundle, BUNDLE_FINALIZER) : newest.bundle;
  const shipped = new Map<string, Shipped>();
  const chosen = Map.groupBy(advance.slice(0, most), ({ revision }) => revision);
  for (const [revision, sites] of chosen) {
    const clusters = sites.map(({ cluster }) => cluster);
    for (const [cluster, one] of await shipTo(order, held, revision, clusters)) shipped.set(cluster, one);
  }
  const counting = { ...look, asked: order.asked, fieldManager: BUNDLE_FIELD_MANAGER };
  const { object: bundle, asked } = await noteRemovals(kube, BUNDLE, held, counting);
  const removed = await removeReleased(order, bundle);
  const { released } = look;
  const isLeft = [...shipped.values()].some(({ is }) => is === 'left');
  return {
    ...removed,
    bundle,
    asked,
    shipped,
    refused: refusedAfter(order, shipped),
    version: newestOf(shipped),
    isMore: isLeft || advance.length > most || (released.held === 0 && released.clusters.length === most),
  };
}

async function shipTo(
  { kube, newest, terms, look, now }: Order,
  bundle: Bundle,
  revision: string,
  clusters: readonly string[],
): Promise<ReadonlyMap<string, Shipped>> {
  const found = isSameRevision(revision, newest.rendered.revision)
    ? newest
    : await restore(kube, bundle, revision, terms);
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
  { members, plan }: Look,
  clusters: readonly string[],
  refusal: Refusal,
): ReadonlyMap<string, Shipped> {
  const isNew = new Set(
    members.filter(({ target }) => target.revision === null).map(({ site }) => site.cluster),
  );
  const isForward = plan.rollout.direction === 'Forward';
  return new Map(
    clusters
      .filter((cluster) => !(isForward && isNew.has(cluster)))
      .map((cluster) => [cluster, { is: 'refused', refusal }] as const),
  );
}

async function removeReleased({ kube, look, newest }: Order, bundle: Bundle): Promise<Removed> {
  const { released, left } = look;
  const free = new Set(released.clusters);
  const going = left.filter(({ metadata }) => free.has(metadata.namespace ?? ''));
  const ending = left.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const { hasHeir } = newest;
  const errand = { kube, bundle, hasHeir, isStill: () => isStill(kube, bundle, newest.loaded) };
  const removed = await removeAll(errand, going);
  await letGo(kube, bundle, [...going, ...ending]);
  return removed;
}

function refusedAfter(
  { look, now }: Order,
  shipped: ReadonlyMap<string, Shipped>,
): Readonly<Record<string, Refused>> {
  const members = new Map(look.members.map((member) => [member.site.cluster, member]));
  const refused = new Map(Object.entries(look.memory.refused));
  for (const { cluster, revision } of look.plan.advance) {
    const one = shipped.get(cluster);
    if (one === undefined) continue;
    const copy = { revision, generation: members.get(cluster)?.work?.metadata.generation ?? null };
    if (one.is === 'unwritten')
      refused.set(cluster, unwritten(one.refusal, copy, look.memory.refused[cluster], now));
    // The end of the earlier work rings the Bundle.
    else if (one.is === 'refused' && one.refusal.reason !== 'StillLeaving')
      refused.set(cluster, { ...copy, ...one.refusal, at: now });
    else refused.delete(cluster);
  }
  return markersOf(refused, (cluster) => members.has(cluster));
}

/** The next turn must see what this one has written. */
function newestOf(shipped: ReadonlyMap<string, Shipped>): string | null {
  const versions = [...shipped.values()].flatMap((one) => (one.is === 'there' ? [one.version] : []));
  return versions.reduce<string | null>(
    (newest, one) => (newest !== null && isAtLeast(newest, one) ? newest : one),
    null,
  );
}
