// What is remembered of removals: what lets copies go without asking, what a person has allowed, and what of
// that was used. Pure.
import { digestOf as hexOf } from '../../../../crds/digest.ts';
import type { RemovalMemory } from '../../../../workflows/stages/memory.ts';

/** What selects the sites. */
export interface PlacementNow {
  /** `numberOfClusters` of the Placement; null if it has none. */
  readonly number: number | null;
  /** uid of the Placement; null without one. */
  readonly placement: string | null;
  /** Sites that are selected. */
  readonly selected: number;
  /** People named the sites, and took these out. */
  readonly isNamed: boolean;
}

/**
 * A person who lowers the number of a Placement lets so many more go as it was lowered by. It counts once the
 * Placement selects exactly the new number. Another Placement has no number to compare with: what the former
 * one was lowered by lets no copy go that the new one does not select, whether or not the new one has a
 * number. A number that is raised takes back what is left at once, whether or not so many sites can be
 * selected; one that is taken away does, too, and the next one has none to compare with.
 */
export function granted(
  removal: RemovalMemory,
  { number, placement, selected, isNamed }: PlacementNow,
): RemovalMemory {
  if (isNamed) return { ...removal, number: null, placement: null, lowered: 0 };
  if (number === null) return { ...removal, number, placement, lowered: 0 };
  const isReached = selected === number;
  // A status from before Placements were noted does not say whose number it has.
  if (removal.placement !== placement)
    return { ...removal, number: isReached ? number : null, placement, lowered: 0 };
  const isRaised = removal.number !== null && number > removal.number;
  const lowered = isRaised ? 0 : removal.lowered;
  if (!isReached) return { ...removal, lowered };
  if (removal.number === null || isRaised) return { ...removal, number, lowered: 0 };
  return { ...removal, number, lowered: lowered + removal.number - number };
}

/** Once all have gone that are to go, what was allowed is used up. */
export function settled(removal: RemovalMemory): RemovalMemory {
  return { ...removal, allowed: 0, approved: null, lowered: 0 };
}

interface Charged {
  /** As if all had gone that were to go now. */
  readonly removal: RemovalMemory;
  /** As if none had. */
  readonly uncharged: RemovalMemory;
  /** Those that were to go as well, and not now. */
  readonly later: readonly string[];
}

/** Gives back what was charged for copies that have not gone after all: they are charged when they go. */
export function withoutMissing(
  { removal, uncharged, later }: Charged,
  unremoved: readonly string[],
): RemovalMemory {
  const missing = unremoved.length;
  if (missing === 0) return removal;
  if (removal.allowed < uncharged.allowed) {
    const approved = digestOf([...unremoved, ...later].toSorted());
    return { ...removal, allowed: removal.allowed + missing, approved };
  }
  const lowered = Math.min(uncharged.lowered, removal.lowered + missing);
  const rest = missing - (lowered - removal.lowered);
  const [newest, ...older] = removal.recent;
  if (newest === undefined || rest === 0) return { ...removal, lowered };
  return { ...removal, lowered, recent: [{ ...newest, count: Math.max(0, newest.count - rest) }, ...older] };
}

/** Ten hex digits for a list of clusters: a person who approves a removal names it. */
export function digestOf(clusters: readonly string[]): string {
  return hexOf(clusters.join(' '), 10);
}
