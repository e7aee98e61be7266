// Facts about a Capp's copies: which are wanted, which serve, which can be relied on, and which are leaving.
import type { State } from '../state.ts';
import type { Copy, WorkFacts } from '../../types/copy.ts';

export function servingCopy(state: State): Copy | null {
  return state.serving === null ? null : (state.copies[state.serving] ?? null);
}

/** Nothing has been shipped, nor will be before a site is chosen. */
export function isNowhere({ serving, copies, move }: State): boolean {
  return serving === null && move === null && Object.keys(copies).length === 0;
}

/**
 * Whether some revision serves, or the Capp is disabled as asked, by the last report. A copy that its site
 * does not have is not healthy.
 */
export function isHealthy(copy: Copy | null | undefined): boolean {
  if (copy === null || copy === undefined || copy.absentSince !== null) return false;
  if (copy.finding === null) return copy.wasHealthy;
  return copy.finding.healthy || copy.finding.verdict === 'Ready';
}

/**
 * Whether it serves, or may: an earlier stamp did, or was found, and nobody has reported on this one. That
 * the site does not have this stamp says nothing of what it kept.
 */
export function mayServe(copy: Copy): boolean {
  return isHealthy(copy) || isUnasked(copy) || (copy.finding === null && copy.wasHealthy);
}

/** Its site refuses what is shipped now, and nobody has said whether what was there before still is. */
function isUnasked({ mayBeThere, work }: Copy): boolean {
  return mayBeThere === true && work?.asksThere === true;
}

/**
 * Whether the work agent has applied everything in the work, if it carries more than the Capp. The Capp
 * itself is the agent's to report.
 */
export function isWhole({ work }: Copy): boolean {
  return work?.withMore !== true || work.applied === 'True';
}

/** What the site refuses of the work, or null. */
export function refusalOf(copy: Copy | undefined): NonNullable<WorkFacts['refused']> | null {
  return copy?.work?.refused ?? null;
}

/** The site will refuse that again. What a quota, a policy or a lack of rights refuses may pass. */
export function isRefusedForGood(copy: Copy | undefined): boolean {
  const refused = refusalOf(copy);
  return refused !== null && refused.mayPass !== true;
}

/**
 * The site has the Capp, which has not failed there, and not all that travels with it, in words that tell of
 * no refusal.
 */
export function isPartly({ finding, work }: Copy): boolean {
  const isThere = finding !== null && finding.verdict !== 'Failed';
  return isThere && work?.withMore === true && work.applied === 'False' && work.refused === undefined;
}

/**
 * When a Capp that is Ready but for that counts as refused, in milliseconds since the epoch; null if it
 * counts already, or if nothing is partly applied.
 */
export function partlyUntil(state: State, now: number): number | null {
  const copy = servingCopy(state);
  return copy !== null && isPartly(copy) && now < copy.deadline ? copy.deadline : null;
}

/** Its site has refused it as another hub's, in an answer after which the Capp goes. */
export function isOthers(copy: Copy | undefined): boolean {
  return copy?.work?.isOthers === true;
}

/**
 * How long an agent that has just started may not have seen everything, in milliseconds: until then nothing
 * is reported as missing.
 */
const DOUBT_MS = 10_000;

/**
 * From when on the copy is reported as missing from its site; null while the site has it by the last report.
 */
export function missingFrom(copy: Copy | null | undefined): number | null {
  return copy === null || copy === undefined || copy.absentSince === null
    ? null
    : copy.absentSince + DOUBT_MS;
}

/**
 * Its agent has reported that it neither serves nor will. An unreachable copy may have come to serve since.
 */
export function isKnownBad({ unreachable }: State, cluster: string, copy: Copy): boolean {
  if (!copy.heard || copy.silentSince !== null || unreachable.includes(cluster)) return false;
  return copy.finding?.verdict === 'Failed' && !isHealthy(copy) && !copy.wasHealthy;
}

/** The serving copy has been shipped and is maintained: its work stays when another one is deleted. */
export function isStanding(state: State): boolean {
  return (
    (servingCopy(state)?.stamp ?? null) !== null &&
    wantedClusters(state).some((cluster) => cluster === state.serving)
  );
}

/** The serving copy can be relied on: its agent sees it and reports it healthy, and its site is reachable. */
export function isReliable(state: State): boolean {
  const copy = servingCopy(state);
  const isAway = state.serving !== null && state.unreachable.includes(state.serving);
  const isSeen =
    copy?.heard === true && copy.silentSince === null && copy.finding?.reason !== 'SiteUnreachable';
  return isHealthy(copy) && isSeen && !isAway;
}

/**
 * The clusters to ship to: the new copy of a move first, because users wait for it. The old copy is no longer
 * maintained once users have left it, nor while its site is unreachable.
 */
export function wantedClusters({ copies, move, serving, unreachable }: State): string[] {
  const old = move !== null && serving === move.from && unreachable.includes(serving) ? null : serving;
  const wanted = [move?.to ?? null, old].filter((cluster) => cluster !== null);
  return [...new Set(wanted)].filter((cluster) => copies[cluster]?.wanted === true);
}

/**
 * Whether a copy is or was on a cluster that is lost or out of reach, so that nobody can see whether it runs.
 */
export function mayStillRun({ copies, leaving, unreachable }: State, cluster: string): boolean {
  const isThere = copies[cluster] !== undefined || leaving[cluster] !== undefined;
  return isThere && (unreachable.includes(cluster) || leaving[cluster]?.lost !== undefined);
}

/**
 * A move with `Recreate` whose old copy is not known to be gone, on a site in trouble: a person must confirm
 * that it is stopped.
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

/** With `Recreate`, the cluster of the only copy: at first, and in a move once the old copy is gone. */
export function isOnlyCopy({ copies, move }: State, cluster: string): boolean {
  const isMovedTo = move?.strategy === 'Recreate' && move.to === cluster;
  return isMovedTo || copies[cluster]?.isSole === true;
}

/**
 * Works that were leaving when the last ring came. A copy made since is not the one that left, and one that
 * was abandoned before it was shipped tells nothing about that.
 */
export function toBeFound({ leaving, copies, ringsHeard }: State): string[] {
  const isMade = (copy: Copy | undefined): boolean =>
    copy !== undefined && (copy.wanted || copy.stamp !== null);
  const due = Object.entries(leaving).filter(
    ([cluster, { lookedAtRing }]) => !isMade(copies[cluster]) && lookedAtRing < ringsHeard,
  );
  return due.map(([cluster]) => cluster).toSorted();
}

/** Its work was created or read, and nothing since says that this must be done again. */
export function isShipped({ stamp, appliedAtRing }: Copy): boolean {
  return stamp !== null && appliedAtRing >= 0;
}
