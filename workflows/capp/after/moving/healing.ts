// What was tried because a Capp was unhealthy, and what is forgotten of that. Pure.
import { LEAVE_TERMS } from '../../../types/leave-reasons.ts';
import type { Leave, Move } from '../../../types/moves.ts';
import type { Health, Healing } from '../../../types/health.ts';
import type { State } from '../../state.ts';
import { healingOf, wordsOf } from '../../facts/health.ts';

/**
 * How long others are waited for that are unhealthy, too, in milliseconds: longer, the longer it takes.
 */
const LEAST_AGAIN_MS = 300_000;
const MOST_AGAIN_MS = 3_600_000;

/** A move begins: what was tried is remembered, or forgotten if the Capp's own people ask for it. */
export function trying(state: State, { from, to, reason, request }: Leave): State {
  if (LEAVE_TERMS[reason].isAsked) return request?.source === 'drain' ? state : withoutHealing(state);
  if (reason !== 'Unhealthy' || to === null) return state;
  const before = healingOf(state);
  const said = { ...before?.said, [from]: wordsOf(state.copies[from]) };
  const healing: Healing =
    before === null
      ? { generation: state.generation, from, to, moves: 1, said }
      : { ...before, moves: 2, said };
  return { ...state, healing };
}

/** The move ends without its new copy: what is said of that is kept. */
export function givenUp(
  state: State,
  { to, reason }: Move,
  { why, mayBeShipped }: { readonly why: string | undefined; readonly mayBeShipped: boolean },
): State {
  const { healing } = state;
  if (reason !== 'Unhealthy' || healing === undefined) return state;
  if (!mayBeShipped && (state.copies[to]?.stamp ?? null) === null) return withoutTry(state, healing);
  const words = why ?? wordsOf(state.copies[to]);
  return { ...state, healing: { ...healing, said: { ...healing.said, [to]: words } } };
}

/** Nothing was shipped there, so nothing was tried. */
function withoutTry(state: State, healing: Healing): State {
  return healing.moves === 1 ? withoutHealing(state) : { ...state, healing: { ...healing, moves: 1 } };
}

export function withoutHealing({ healing: _forgotten, ...state }: State): State {
  return state;
}

/**
 * Nobody knows how the copy is: it is counted anew from the next report. That it was Ready once is not
 * forgotten.
 */
export function withHealthUnknown(state: State, cluster: string): State {
  const copy = state.copies[cluster];
  if (copy?.health === undefined) return state;
  const { restarts: _uncounted, ...health } = copy.health;
  const uncounted = { ...state, copies: { ...state.copies, [cluster]: { ...copy, health } } };
  const next = withHealthOf(uncounted, cluster, { readySince: null, illSince: null });
  return cluster === state.serving ? withoutLeave(next) : next;
}

/** It need not leave because it is unhealthy. */
export function withoutLeave(state: State): State {
  return state.leave?.reason === 'Unhealthy' ? { ...state, leave: null } : state;
}

/**
 * A review has known that the Capp is unhealthy. What holds it (`isHeld`), such as others that are unhealthy
 * too, rings nobody when it ends.
 */
export function lookedAtIll(
  state: State,
  { isKnown, isHeld }: { readonly isKnown: boolean; readonly isHeld: boolean },
  now: number,
): State {
  const { serving } = state;
  const health = serving === null ? undefined : state.copies[serving]?.health;
  const illSince = health?.illSince ?? null;
  if (!isKnown || serving === null || health === undefined || illSince === null) return state;
  const pause = Math.min(Math.max(now - illSince, LEAST_AGAIN_MS), MOST_AGAIN_MS);
  const again = isHeld ? { againAt: now + pause } : {};
  return withHealthOf(state, serving, { readySince: health.readySince, illSince, lookedAt: now, ...again });
}

/** When the trouble began, and what was counted in it, is kept until another begins. */
export function withHealthOf(state: State, cluster: string, health: Health): State {
  const copy = state.copies[cluster];
  if (copy === undefined) return state;
  const { turnedAt, restarts } = copy.health ?? {};
  const kept = {
    ...(turnedAt === undefined ? {} : { turnedAt }),
    ...(restarts === undefined ? {} : { restarts }),
    ...health,
  };
  return { ...state, copies: { ...state.copies, [cluster]: { ...copy, health: kept } } };
}
