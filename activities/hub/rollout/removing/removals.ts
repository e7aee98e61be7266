// The guard against mass removal: from which of the sites that are no longer selected copies may go now.
// Pure.
import type { RemovalMemory, RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { HUB_TIMES } from '../../times.ts';
import { apart, without } from './apart.ts';
import { countedAfter, countIn, nextFree, recentAt } from './removal-count.ts';
import { digestOf, granted, settled, type PlacementNow } from './removal-memory.ts';
import { inTurn } from './stuck.ts';

const { setHeld } = HUB_TIMES;

export interface LeavingCopies extends PlacementNow {
  /** Clusters with a copy that are no longer selected, sorted. */
  readonly clusters: readonly string[];
  /** Those of them whose copy is Ready; on sites that cannot be reached, only if no other is. */
  readonly ready: readonly string[];
  /** Those of them whose site has still to answer; absent if there is none. */
  readonly awaited?: readonly string[];
  /** Those of them that still count, since they were lost with the revision; absent if there is none. */
  readonly lost?: readonly string[];
  /** Copies on sites that are selected. */
  readonly staying: number;
  /** Those of them that are Ready, and that are not written in the same turn. */
  readonly stayingReady: number;
  /** How long the last Ready copy waits for a replacement before a person is asked, in milliseconds. */
  readonly patienceMs: number;
}

export interface ReleasedCopies {
  /** To be removed now, in order. */
  readonly clusters: readonly string[];
  /** To be removed as well, and not now. */
  readonly later: readonly string[];
  /** Some of these, which go when their sites have answered: they are charged then. */
  readonly awaited: readonly string[];
  /** Some of these, which a stage waits for or has failed for: they go when a person lets them. */
  readonly lost: readonly string[];
  /** How many wait for a person; 0 if none does. */
  readonly held: number;
  /** The last Ready copy, which waits for one that replaces it; null if none does. */
  readonly last: { readonly cluster: string; readonly isOverdue: boolean } | null;
  /** When to look again, in milliseconds since the epoch; null if there is no such time. */
  readonly wakeAt: number | null;
  readonly leaving: RolloutMemory['leaving'];
  /** As if all of `clusters` had gone. */
  readonly removal: RemovalMemory;
  /** As if none had: `withoutMissing` gives back what did not go. */
  readonly uncharged: RemovalMemory;
}

/** At most `most` are released, and counted. */
export function release(
  leaving: LeavingCopies,
  memory: Pick<RolloutMemory, 'leaving' | 'removal' | 'stuck'>,
  most: number,
  now: number,
): ReleasedCopies {
  const removal = granted({ ...memory.removal, recent: recentAt(memory.removal.recent, now) }, leaving);
  if (leaving.clusters.length === 0) return unreleased(settled(removal), null);
  const digest = digestOf(leaving.clusters);
  const since = memory.leaving?.digest === digest ? sinceAt(memory.leaving.since, now) : now;
  const seen = { digest, since };
  const later = leaving.clusters;
  if (!leaving.isNamed && now < since + setHeld.ms)
    return { ...unreleased(removal, seen), later, wakeAt: since + setHeld.ms };
  const isApproved = removal.allowed > 0 && removal.approved === digest;
  const standing = { removal, seen, stuck: memory.stuck };
  return isApproved ? approved(leaving, standing, most) : unasked(leaving, standing, most, now);
}

/** A clock that was far ahead makes nobody wait until it is right. */
function sinceAt(since: number, now: number): number {
  return since > now + setHeld.ms ? now : since;
}

interface Standing {
  readonly removal: RemovalMemory;
  readonly seen: { readonly digest: string; readonly since: number };
  readonly stuck: RolloutMemory['stuck'];
}

/**
 * A person has said how many of exactly these may go, and whether a Ready copy is left is their decision. Of
 * the rest none goes unasked, few as they may be: the person did not let them go. That holds until none waits
 * any more, also when some of them are selected again, or others leave beside them.
 */
function approved(leaving: LeavingCopies, { removal, seen, stuck }: Standing, most: number): ReleasedCopies {
  const [open, awaited] = apart(leaving.clusters, leaving.awaited);
  const going = inTurn(open, stuck).slice(0, Math.min(most, removal.allowed));
  const later = without(leaving.clusters, going);
  const allowed = removal.allowed - going.length;
  return {
    clusters: going,
    later,
    awaited: awaited.slice(0, allowed),
    lost: [],
    held: Math.max(0, later.length - allowed),
    last: null,
    wakeAt: null,
    leaving: seen,
    removal: { ...removal, allowed, approved: later.length === 0 ? null : digestOf(later) },
    uncharged: removal,
  };
}

function unasked(
  leaving: LeavingCopies,
  { removal, seen, stuck }: Standing,
  most: number,
  now: number,
): ReleasedCopies {
  const kept = lastReady(leaving);
  const lost = kept === null ? [...(leaving.lost ?? [])] : without(leaving.lost ?? [], [kept]);
  const clusters = without(leaving.clusters, kept === null ? lost : [...lost, kept]);
  const overdueAt = seen.since + leaving.patienceMs;
  const last = kept === null ? null : { cluster: kept, isOverdue: now >= overdueAt };
  const free = leaving.isNamed ? clusters.length : removal.lowered;
  const share = isSpent(removal) ? 0 : Math.max(0, shareOf(leaving, removal) - countIn(removal.recent));
  const wakes = last === null || last.isOverdue ? null : overdueAt;
  // A person is asked about all of them, rather than told when a tenth has gone.
  if (clusters.length > free + share)
    return {
      ...unreleased(removal, seen),
      later: leaving.clusters,
      lost,
      held: leaving.clusters.length,
      wakeAt: nextFree(removal.recent) ?? wakes,
    };
  const [open, awaited] = apart(clusters, leaving.awaited);
  const going = inTurn(open, stuck).slice(0, most);
  const unlimited = Math.min(going.length, free);
  return {
    clusters: going,
    later: without(leaving.clusters, going),
    awaited,
    lost,
    held: last?.isOverdue === true ? 1 : 0,
    last,
    wakeAt: wakes,
    leaving: seen,
    removal: {
      ...removal,
      lowered: leaving.isNamed ? removal.lowered : removal.lowered - unlimited,
      recent: isMove(leaving)
        ? removal.recent
        : countedAfter(removal.recent, going.length - unlimited, copiesOf(leaving), now),
    },
    uncharged: removal,
  };
}

/** A person has let some go, so many have gone, and others are still to go, be they the same or not. */
function isSpent({ approved: sites, allowed }: RemovalMemory): boolean {
  return sites !== null && allowed === 0;
}

/**
 * The last Ready copy goes when another is Ready. Null if another is, or if no site is selected that could
 * have one.
 */
function lastReady({ clusters, ready, stayingReady, selected }: LeavingCopies): string | null {
  if (stayingReady > 0 || selected === 0) return null;
  return clusters.findLast((cluster) => ready.includes(cluster)) ?? null;
}

/**
 * The Placement selects one site, the copy there is Ready, and the only other copy goes. Nothing is lost by
 * that, however often OCM chooses another site: it does not count against the next one.
 */
function isMove({ clusters, staying, stayingReady, number, selected }: LeavingCopies): boolean {
  return number === 1 && selected === 1 && clusters.length === 1 && staying === 1 && stayingReady === 1;
}

/**
 * A tenth of the most copies that there were at once within the last ten minutes, and at least one: a copy
 * that went and came back is one. Earlier versions did not note how many there were.
 */
function shareOf(leaving: LeavingCopies, { recent }: RemovalMemory): number {
  const present = copiesOf(leaving);
  const most = recent.map(({ of = present + countIn(recent) }) => of);
  return Math.max(1, Math.floor(Math.max(present, ...most) / 10));
}

function copiesOf({ clusters, staying }: LeavingCopies): number {
  return clusters.length + staying;
}

/**
 * None goes while the rollout is paused. What was allowed for these is used up all the same when all of them
 * have gone, or when other sites are named: it lets no others go when the rollout goes on.
 */
export function whilePaused(
  leaving: LeavingCopies,
  memory: Pick<RolloutMemory, 'leaving' | 'removal'>,
): ReleasedCopies {
  const removal = granted(memory.removal, leaving);
  const isSame = memory.leaving?.digest === digestOf(leaving.clusters);
  return unreleased(
    leaving.clusters.length === 0 ? settled(removal) : removal,
    isSame ? memory.leaving : null,
  );
}

/** Nobody knows which sites are selected, or none can be deleted yet: what was known stays as it is. */
export function notNow({ leaving, removal }: Pick<RolloutMemory, 'leaving' | 'removal'>): ReleasedCopies {
  return unreleased(removal, leaving);
}

function unreleased(removal: RemovalMemory, leaving: RolloutMemory['leaving']): ReleasedCopies {
  return {
    clusters: [],
    later: [],
    awaited: [],
    lost: [],
    held: 0,
    last: null,
    wakeAt: null,
    leaving,
    removal,
    uncharged: removal,
  };
}
