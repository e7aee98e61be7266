// The guard against mass removal: from which of the sites that are no longer selected copies may go now. Pure.
import type { Removal, RolloutMemory } from '../../../workflows/stages/memory.ts';
import { HUB_TIMES } from '../times.ts';

const { setHeld, setCounted } = HUB_TIMES;

export interface Leaving {
  /** Clusters with a copy that are no longer selected, sorted. */
  readonly clusters: readonly string[];
  readonly digest: string;
  /** Copies on sites that are selected. */
  readonly staying: number;
  /** `numberOfClusters` of the Placement; null if it has none. */
  readonly number: number | null;
  /** Sites that the Placement selects. */
  readonly selected: number;
  /** People named the sites, and took these out. */
  readonly isNamed: boolean;
}

export interface Released {
  /** To be removed now, in order. */
  readonly clusters: readonly string[];
  /** How many wait for a person; 0 if none does. */
  readonly held: number;
  /** When to look again, in milliseconds since the epoch; null if there is no such time. */
  readonly wakeAt: number | null;
  readonly leaving: RolloutMemory['leaving'];
  readonly removal: Removal;
}

/** At most `most` are released, and counted. */
export function release(
  leaving: Leaving,
  memory: Pick<RolloutMemory, 'leaving' | 'removal'>,
  most: number,
  now: number,
): Released {
  const removal = current(memory.removal, now);
  if (leaving.clusters.length === 0) return nothing(withNumber(removal, leaving));
  const since = memory.leaving?.digest === leaving.digest ? memory.leaving.since : now;
  const seen = { digest: leaving.digest, since };
  if (!leaving.isNamed && now < since + setHeld.ms)
    return { clusters: [], held: 0, wakeAt: since + setHeld.ms, leaving: seen, removal };
  const free = leaving.isNamed ? leaving.clusters.length : lowered(leaving, removal);
  const share = Math.max(0, shareOf(leaving, removal) - removal.count);
  // A person is asked about all of them, rather than told when a tenth has gone.
  const isWithin = leaving.clusters.length <= free + share || removal.allowed > 0;
  if (!isWithin)
    return {
      clusters: [],
      held: leaving.clusters.length,
      wakeAt: removal.count > 0 ? removal.since + setCounted.ms : null,
      leaving: seen,
      removal,
    };
  const allowed = removal.allowed > 0 ? Math.max(removal.allowed, free) : free + share;
  const going = leaving.clusters.slice(0, Math.min(most, allowed));
  return {
    clusters: going,
    held: leaving.clusters.length > allowed ? leaving.clusters.length - allowed : 0,
    wakeAt: null,
    leaving: seen,
    removal: counted(removal, { going: going.length, free }, now),
  };
}

/** A tenth of the copies that there were when the ten minutes began, and at least one. */
function shareOf({ clusters, staying }: Leaving, { count }: Removal): number {
  return Math.max(1, Math.floor((clusters.length + staying + count) / 10));
}

/** A person lowered the number of the Placement, and it selects exactly that many: so many may go unasked. */
function lowered({ number, selected, clusters }: Leaving, { number: before }: Removal): number {
  if (number === null || selected !== number) return 0;
  return before === null || number < before ? clusters.length : 0;
}

function counted(
  removal: Removal,
  { going, free }: { readonly going: number; readonly free: number },
  now: number,
): Removal {
  if (removal.allowed > 0) return { ...removal, allowed: Math.max(0, removal.allowed - going) };
  if (free > 0) return removal;
  return { ...removal, since: removal.count === 0 ? now : removal.since, count: removal.count + going };
}

/** When so many of those that were released have not gone after all: they are counted when they go. */
export function withoutMissing(before: Removal, after: Removal, missing: number): Removal {
  const { count, allowed, since } = after;
  if (allowed < before.allowed) return { ...after, allowed: Math.min(before.allowed, allowed + missing) };
  const isCounted = count > before.count || since !== before.since;
  return isCounted ? { ...after, count: Math.max(0, count - missing) } : after;
}

/** The count begins again ten minutes after its first removal. */
function current(removal: Removal, now: number): Removal {
  return removal.count > 0 && now >= removal.since + setCounted.ms ? { ...removal, count: 0 } : removal;
}

/** Once all have gone that are to go, what a person allowed is used up, and the number is the one to compare with. */
function withNumber(removal: Removal, { number }: Leaving): Removal {
  return { ...removal, allowed: 0, number };
}

/** The rollout is paused, or nobody knows which sites are selected: what was known stays as it is. */
export function notNow({ leaving, removal }: Pick<RolloutMemory, 'leaving' | 'removal'>): Released {
  return { clusters: [], held: 0, wakeAt: null, leaving, removal };
}

function nothing(removal: Removal): Released {
  return { clusters: [], held: 0, wakeAt: null, leaving: null, removal };
}
