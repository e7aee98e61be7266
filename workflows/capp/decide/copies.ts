// Facts about a Capp's copies: which are wanted, which serve, which can be relied on, and which are leaving.
import type { Copy, Leaving, State, WorkFacts } from '../state.ts';

export const NEW_COPY: Copy = {
  wanted: true,
  stamp: null,
  generation: 0,
  appliedAt: 0,
  deadline: 0,
  work: null,
  finding: null,
  wasHealthy: false,
  heard: false,
  heardAt: 0,
  silentSince: null,
  absentSince: null,
  appliedAtRing: -1,
};

export function servingCopy(state: State): Copy | null {
  return state.serving === null ? null : (state.copies[state.serving] ?? null);
}

/** It has not been shipped anywhere, nor will it be before a site is chosen. */
export function isNowhere({ serving, copies, move }: State): boolean {
  return serving === null && move === null && Object.keys(copies).length === 0;
}

/**
 * Some revision serves, or the Capp is disabled as asked; as far as was last heard. What its site does not
 * have is not.
 */
export function isHealthy(copy: Copy | null | undefined): boolean {
  if (copy === null || copy === undefined || copy.absentSince !== null) return false;
  if (copy.finding === null) return copy.wasHealthy;
  return copy.finding.healthy || copy.finding.verdict === 'Ready';
}

/**
 * The site has taken all that the work carries, as far as there is more than the Capp, which its agent speaks
 * of.
 */
export function isWhole({ work }: Copy): boolean {
  return work?.withMore !== true || work.applied === 'True';
}

/** What the site's own policies refuse of the work, or null. */
export function refusalOf(copy: Copy | undefined): NonNullable<WorkFacts['refused']> | null {
  return copy?.work?.refused ?? null;
}

/**
 * An agent that has just begun may not have looked: so long, in milliseconds, what it misses is not said to
 * be missing.
 */
const DOUBT_MS = 10_000;

/**
 * From when on its site is said not to have what was sent there; null while it has it as far as was heard.
 */
export function missingFrom(copy: Copy | null | undefined): number | null {
  return copy === null || copy === undefined || copy.absentSince === null
    ? null
    : copy.absentSince + DOUBT_MS;
}

/**
 * Its agent has spoken and says that nothing of it serves, nor will. Out of reach, it may have come to serve
 * since.
 */
export function isKnownBad({ unreachable }: State, cluster: string, copy: Copy): boolean {
  if (!copy.heard || copy.silentSince !== null || unreachable.includes(cluster)) return false;
  return copy.finding?.verdict === 'Failed' && !isHealthy(copy) && !copy.wasHealthy;
}

/**
 * The copy users are sent to has been shipped, and is cared for: there is a work that stays when another
 * goes.
 */
export function isStanding(state: State): boolean {
  return (
    (servingCopy(state)?.stamp ?? null) !== null &&
    wantedClusters(state).some((cluster) => cluster === state.serving)
  );
}

/**
 * The copy users are sent to can be relied on: it is healthy by its agent's word, which sees it, and its site
 * is there.
 */
export function isReliable(state: State): boolean {
  const copy = servingCopy(state);
  const isAway = state.serving !== null && state.unreachable.includes(state.serving);
  const isSeen =
    copy?.heard === true && copy.silentSince === null && copy.finding?.reason !== 'SiteUnreachable';
  return isHealthy(copy) && isSeen && !isAway;
}

/**
 * Where the Capp is to be, the new copy of a move before the old one: it is what users wait for. The old one
 * is not cared for any more once users have left it, nor while its site is out of reach.
 */
export function wantedClusters({ copies, move, serving, unreachable }: State): string[] {
  const old = move !== null && serving === move.from && unreachable.includes(serving) ? null : serving;
  const wanted = [move?.to ?? null, old].filter((cluster) => cluster !== null);
  return [...new Set(wanted)].filter((cluster) => copies[cluster]?.wanted === true);
}

/**
 * What a person's word is needed for before it counts for nothing: with `Recreate`, a copy that may run where
 * nobody can see it.
 */
export function mayStillRun({ copies, leaving, unreachable }: State, cluster: string): boolean {
  const isThere = copies[cluster] !== undefined || leaving[cluster] !== undefined;
  return isThere && (unreachable.includes(cluster) || leaving[cluster]?.lost !== undefined);
}

/**
 * A move with `Recreate` whose old copy is not known to be gone, on a site in trouble: a person must say that
 * it is stopped.
 */
export function isHeldBack(state: State): boolean {
  const { move } = state;
  return (
    move !== null &&
    move.strategy === 'Recreate' &&
    move.request?.force !== true &&
    mayStillRun(state, move.from)
  );
}

/**
 * With `Recreate`, where the only copy is to be: at first, and in a move once the old one is gone.
 */
export function isOnlyCopy({ copies, move }: State, cluster: string): boolean {
  const isMovedTo = move?.strategy === 'Recreate' && move.to === cluster;
  return isMovedTo || copies[cluster]?.isSole === true;
}

/**
 * Works that were leaving when somebody rang last. A copy made since is not the one that left; one that was
 * given up before it was shipped tells nothing of that.
 */
export function toBeFound({ leaving, copies, ringsHeard }: State): string[] {
  const isMade = (copy: Copy | undefined): boolean =>
    copy !== undefined && (copy.wanted || copy.stamp !== null);
  const due = Object.entries(leaving).filter(
    ([cluster, { lookedAtRing }]) => !isMade(copies[cluster]) && lookedAtRing < ringsHeard,
  );
  return due.map(([cluster]) => cluster).toSorted();
}

/** They are shipped, whatever was answered before. */
export function toBeShipped(copies: State['copies'], clusters: readonly string[]): State['copies'] {
  const again = clusters.flatMap((cluster): [string, Copy][] => {
    const copy = copies[cluster];
    return copy === undefined ? [] : [[cluster, { ...copy, appliedAtRing: -1 }]];
  });
  return { ...copies, ...Object.fromEntries(again) };
}

export function leavingSince(
  state: State,
  clusters: readonly string[],
  { now, ringsHeard }: { now: number; ringsHeard: number },
): State['leaving'] {
  return Object.fromEntries(
    clusters.map((cluster): [string, Leaving] => [
      cluster,
      { since: state.leaving[cluster]?.since ?? now, lookedAtRing: ringsHeard },
    ]),
  );
}

/** A work that nobody counted is a copy that is not wanted. */
export function unexplained({ copies }: State, clusters: readonly string[]): State['copies'] {
  const unknown = clusters.filter((cluster) => copies[cluster] === undefined);
  return Object.fromEntries(unknown.map((cluster) => [cluster, { ...NEW_COPY, wanted: false }]));
}
