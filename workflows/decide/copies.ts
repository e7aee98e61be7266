// The copies of a Capp: which are wanted, which serve, which may go.
import { isLost } from '../moves.ts';
import type { Copy, State } from '../state.ts';

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
  silentSince: null,
  asOf: 0,
};

export function servingCopy(state: State): Copy | null {
  return state.serving === null ? null : (state.copies[state.serving] ?? null);
}

/** It has not been shipped anywhere, nor will it be before a site is chosen. */
export function isNowhere({ serving, copies, move }: State): boolean {
  return serving === null && move === null && Object.keys(copies).length === 0;
}

/** Some revision serves, or the Capp is disabled as asked; as far as was last heard. */
export function isHealthy(copy: Copy | null | undefined): boolean {
  if (copy === null || copy === undefined) return false;
  if (copy.finding === null) return copy.wasHealthy;
  return copy.finding.healthy || copy.finding.verdict === 'Ready';
}

/** Its agent has spoken and says that nothing of it serves, nor will. Out of reach, it may have come to serve since. */
function isKnownBad({ troubled }: State, cluster: string, copy: Copy): boolean {
  if (!copy.heard || copy.silentSince !== null || troubled.includes(cluster)) return false;
  return copy.finding?.verdict === 'Failed' && !isHealthy(copy) && !copy.wasHealthy;
}

/** The copy users are sent to has been shipped, and is cared for: there is a work that stays when another goes. */
function isStanding(state: State): boolean {
  return (servingCopy(state)?.stamp ?? null) !== null && wantedClusters(state).some((cluster) => cluster === state.serving);
}

/** The copy users are sent to can be relied on: it is healthy by its agent's fresh word, and its site is there. */
function isReliable(state: State): boolean {
  const copy = servingCopy(state);
  const isAway = state.serving !== null && state.troubled.includes(state.serving);
  return isHealthy(copy) && copy?.heard === true && copy.silentSince === null && !isAway;
}

/**
 * Where the Capp is to be, the new copy of a move before the old one: it is what users wait for. The old one is not cared for any more once
 * users have left it, nor while its site is out of reach.
 */
export function wantedClusters({ copies, move, serving, troubled }: State): string[] {
  const old = move !== null && serving === move.from && troubled.includes(serving) ? null : serving;
  const wanted = [move?.to ?? null, old].filter((cluster) => cluster !== null);
  return [...new Set(wanted)].filter((cluster) => copies[cluster]?.wanted === true);
}

/**
 * Works to delete now. The last healthy copy stays: one that is no longer wanted goes when the serving one is healthy, or when its own
 * agent says that nothing of it serves and another work stands; none while the Capp is frozen. `Recreate` is the user's own word that the old copy goes first.
 */
export function removable(state: State): string[] {
  const { move, serving } = state;
  const isSafe = isReliable(state) && (move === null || serving !== move.to || move.confirmation === 'Given');
  const extra = Object.keys(state.paused ? {} : state.copies).filter((cluster) => {
    const copy = state.copies[cluster];
    if (copy === undefined || copy.wanted) return false;
    if (move?.strategy === 'Recreate' && cluster === move.from) return !isHeldBack(state);
    return cluster !== serving && (isSafe || (isKnownBad(state, cluster, copy) && isStanding(state)));
  });
  const leaving = Object.keys(state.leaving).filter((cluster) => isToBeLookedAt(state, cluster));
  return [...extra, ...leaving].toSorted();
}

/** A work that was leaving when somebody rang last; a copy made since is not the one that left. */
function isToBeLookedAt({ leaving, copies, rung }: State, cluster: string): boolean {
  return copies[cluster] === undefined && (leaving[cluster]?.asOf ?? 0) < rung;
}

/** With `Recreate`, a copy on a site out of reach may still run: a person must say that it is stopped. */
export function isHeldBack({ move }: State): boolean {
  return move !== null && move.strategy === 'Recreate' && isLost(move.reason) && move.request?.force !== true;
}
