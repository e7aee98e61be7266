// The state after a ring, and which rings a read has answered. Pure.
import { CAUSES, newest, type Cause, type Ring } from '../../types/ring.ts';
import type { State } from '../state.ts';

/**
 * When an answer came, and how many rings had been heard when its read began: later rings are not answered by
 * it.
 */
export interface Asked {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly ringsHeard: number;
}

/**
 * The causes in `looked` are answered by a read begun when `ringsHeard` rings had been heard; one that rang
 * again since stays due.
 */
export function answered(state: State, looked: readonly Cause[], ringsHeard: number): State {
  if (state.ringsHeard !== ringsHeard) return state;
  const due = state.due.filter((cause) => !looked.includes(cause));
  return due.length > 0 ? { ...state, due } : { ...state, due, ringsAnswered: ringsHeard };
}

/** A ring is only noted down: why, and how new a read must be to answer it. */
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

/** Something came that nobody can read: it says nothing, and is counted. */
export function withUnreadable(state: State): State {
  return { ...state, unreadable: state.unreadable + 1 };
}

/**
 * The day's look at everything: an agent that was silent is asked again, and stays silent until it answers.
 */
export function afterResync(state: State): State {
  const isSilent = Object.values(state.copies).some((copy) => copy.silentSince !== null);
  return withRing(state, { causes: isSilent ? ['site', 'resync'] : ['resync'], minimumVersions: {} });
}

/** The fingerprint of nothing that we publish. */
export const OTHER = '';

/**
 * Who has told users nothing yet knows less than what stands there, and tells nothing because somebody rings.
 */
export function afterRing(state: State, ring: Ring): State {
  const next = withRing(state, ring);
  return ring.tellAgain === true && next.published !== null ? { ...next, published: OTHER } : next;
}
