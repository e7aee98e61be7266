// The state after a ring, and which rings a read has answered. Pure.
import { CAUSES, newest, type Cause, type Ring } from '../../types/ring.ts';
import type { State } from '../state.ts';

/** When an answer came, and the number of rings heard when its read began. It does not answer later rings. */
export interface AskedAt {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly ringsHeard: number;
}

/**
 * Causes in `looked` are answered by a read that began when `ringsHeard` rings had been heard. A cause that
 * rang again since stays due.
 */
export function answered(state: State, looked: readonly Cause[], ringsHeard: number): State {
  if (state.ringsHeard !== ringsHeard) return state;
  const due = state.due.filter((cause) => !looked.includes(cause));
  return due.length > 0 ? { ...state, due } : { ...state, due, ringsAnswered: ringsHeard };
}

/** Records a ring: its causes, and how new a read must be to answer it. */
export function withRing(state: State, { causes, minimumVersions, seen = {} }: Ring): State {
  const due = CAUSES.filter((known) => causes.includes(known) || state.due.includes(known));
  return {
    ...state,
    due,
    ringsHeard: state.ringsHeard + 1,
    minimumVersions: newest(state.minimumVersions, minimumVersions),
    copies: withSight(state.copies, seen),
  };
}

function withSight(copies: State['copies'], seen: NonNullable<Ring['seen']>): State['copies'] {
  const sighted = Object.entries(seen).flatMap(([cluster, seenAt]) => {
    const copy = Object.hasOwn(copies, cluster) ? copies[cluster] : undefined;
    return copy === undefined ? [] : [[cluster, { ...copy, seenAt }] as const];
  });
  return sighted.length === 0 ? copies : { ...copies, ...Object.fromEntries(sighted) };
}

/** Counts a message that cannot be read. It has no other effect. */
export function withUnreadable(state: State): State {
  return { ...state, unreadable: state.unreadable + 1 };
}

/** The daily resync asks a silent agent again, which stays silent until it answers. */
export function afterResync(state: State): State {
  const isSilent = Object.values(state.copies).some((copy) => copy.silentSince !== null);
  return withRing(state, { causes: isSilent ? ['site', 'resync'] : ['resync'], minimumVersions: {} });
}

/** The fingerprint of a status in which nothing is ours. */
export const OTHER = '';

/**
 * A workflow that has published nothing yet knows less than the status shows, so a ring does not make it
 * publish.
 */
export function afterRing(state: State, ring: Ring): State {
  const next = withRing(state, ring);
  return ring.tellAgain === true && next.published !== null ? { ...next, published: OTHER } : next;
}
