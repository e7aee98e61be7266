// The end of a set: its Capps are deleted first, each with its own workflow, and then the set's finalizer is
// removed.
import type { Capp } from '../../../crds/capp/capp.ts';
import { SET_FINALIZER } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { CappSetStatus } from '../../../crds/set/status.ts';
import type { Kube } from '../../../kube/client.ts';
import { isOrphaning, removeFinalizers } from '../../../kube/finalizer.ts';
import type { HubCaches } from '../caches.ts';
import { abandonedBy } from '../retire/abandon.ts';
import { isReachable } from '../retire/reach.ts';
import { conditionsOf } from '../rollout/telling/conditions.ts';
import type { DeletionEnding, FleetNews } from '../rollout/kind.ts';
import { whyRefused, type RefusedRemoval } from '../rollout/removing/unremoved.ts';
import { askEach, AT_ONCE, removeEach, writesUntil } from '../rollout/writes.ts';
import { HUB_TIMES } from '../times.ts';
import { abandonChild, removeChild } from './write-child.ts';

/** Lost sites that the status names. */
const MOST_NAMED = 20;

export interface SetEnding {
  readonly kube: Kube;
  readonly caches: Pick<HubCaches, 'clusters'>;
  readonly set: CappSet;
  /** Listed live: the finalizer goes only when there is none. */
  readonly children: readonly Capp[];
}

/** Deletions that one turn begins. */
const PER_TURN = 100;

/**
 * Begins some deletions, and none of Capps that are to be orphaned. Safe to repeat: what is being deleted is
 * left alone.
 */
export async function retireSet(ending: SetEnding, now: number): Promise<DeletionEnding> {
  const { kube, set, children } = ending;
  if (children.length === 0) {
    await removeFinalizers(kube, CAPP_SET, set, [SET_FINALIZER]);
    return { outcome: 'Gone' };
  }
  const { unremoved, isMore } = isOrphaning(set) ? NONE_REMOVED : await removeSome(ending, now);
  const later = unremoved.length > 0 ? HUB_TIMES.removalRefused : HUB_TIMES.setEnding;
  return {
    outcome: 'Leaving',
    told: toldOf(ending, unremoved, now),
    isMore,
    wakeAt: now + later.ms,
  };
}

interface RemovedSome {
  readonly unremoved: readonly RefusedRemoval[];
  readonly isMore: boolean;
}

const NONE_REMOVED: RemovedSome = { unremoved: [], isMore: false };

/**
 * Goes on to further Capps at once in place of those that may not be deleted, so that these block no others,
 * and begins somewhere else each time, since one turn has no time for many that may not.
 */
async function removeSome({ kube, set, children }: SetEnding, now: number): Promise<RemovedSome> {
  const given = abandonedBy(set);
  await askEach(children.filter(isGoing), (child) => abandonChild(kube, child, given));
  const standing = turnedTo(
    now,
    children.filter((child) => !isGoing(child)),
  );
  const until = writesUntil();
  const unremoved: RefusedRemoval[] = [];
  let begun = 0;
  while (begun < standing.length && begun - unremoved.length < PER_TURN) {
    const some = standing.slice(begun, begun + AT_ONCE);
    unremoved.push(...(await removeEach(some, siteOf, (child) => removeChild(kube, child))).unremoved);
    begun += some.length;
    if (Date.now() >= until) break;
  }
  // With none that goes, the next turn at once would only ask the same once more.
  return { unremoved, isMore: begun < standing.length && begun > unremoved.length };
}

function turnedTo<T>(place: number, all: readonly T[]): readonly T[] {
  const first = all.length === 0 ? 0 : Math.floor(place) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function toldOf(
  { caches, set, children }: SetEnding,
  unremoved: readonly RefusedRemoval[],
  now: number,
): FleetNews {
  const left = { lost: lostOf(caches, children), unremoved, left: children.length };
  const { namespace = '', name } = set.metadata;
  const says = `**${namespace}/${name}** is being deleted. ${children.length} of its Capps are left.`;
  return { status: endingStatus(set, left, now), happening: null, says };
}

function isGoing({ metadata }: Capp): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function siteOf({ spec }: Capp): string {
  return spec.site ?? '';
}

function lostOf({ clusters }: Pick<HubCaches, 'clusters'>, children: readonly Capp[]): string[] {
  const isLost = (name: string): boolean => {
    const cluster = clusters.get({ namespace: null, name });
    return cluster === undefined || !isReachable(cluster);
  };
  return children.filter(isGoing).map(siteOf).filter(isLost).toSorted();
}

interface Left {
  readonly lost: readonly string[];
  readonly unremoved: readonly RefusedRemoval[];
  readonly left: number;
}

function endingStatus(set: CappSet, ending: Left, now: number): CappSetStatus {
  const refused = whyRefused(ending.unremoved);
  const message = isOrphaning(set) ? orphansLeft(ending) : cappsLeft(ending, refused);
  const reason = refused === null ? 'Deleting' : 'RemovalRefused';
  const isStalled = isOrphaning(set) || ending.lost.length > 0 || refused !== null;
  const conditions = conditionsOf(
    set,
    {
      Ready: [false, reason, message],
      Progressing: [!isOrphaning(set), reason, message],
      Stalled: [isStalled, reason, message],
    },
    now,
  );
  return { ...set.status, conditions };
}

function cappsLeft({ lost, unremoved, left }: Left, refused: string | null): string {
  const named = lost.slice(0, MOST_NAMED).join(', ');
  const waits =
    lost.length === 0
      ? ''
      : ` Sites that cannot be reached: ${named}. They are waited for; annotation rcs.dana.io/abandon on the set gives the copies there up.`;
  const stays = refused === null ? '' : ` ${unremoved.length} of them cannot be deleted: ${refused}`;
  return `The set is being deleted, and ${left} of its Capps are left.${waits}${stays}`;
}

function orphansLeft({ left }: Left): string {
  return `The set is being deleted with --cascade=orphan, so its ${left} Capps stay. The hub's garbage collector takes the set's ownerReference off them, and then finalizer orphan off the set. Where it does not, do both yourself; take off the finalizer alone, and the Capps are deleted.`;
}
