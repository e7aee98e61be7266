// The state after a review of whether the Capp should be elsewhere. Pure.
import type { Handled, Leave } from '../../types/moves.ts';
import type { Choice } from '../../ports.ts';
import type { State } from '../state.ts';
import { leavingSince, toBeShipped, unexplained, wantedClusters } from '../decide/copies.ts';
import { abandoned, withCause } from './moved.ts';

type Looked = Extract<Choice, { outcome: 'Stays' | 'Leaves' }>;

/** What a look at a Capp that has a site came to. */
export function afterLook(before: State, look: Looked, now: number): State {
  const state = isOwed(before) ? owed(before, wantedClusters(before)) : before;
  const known = {
    ...state,
    backoff: null,
    generation: Math.max(state.generation, look.generation),
    ...withTrouble(state, look.unreachable, now),
    ...withFound(state, look, now),
  };
  const answered = withAnswer(asksTheUnseen(withoutSight(known, now), state), look.handled);
  if (look.outcome === 'Stays') {
    const isCancelled = look.handled?.reason === 'AlreadyThere' && answered.move?.from === answered.serving;
    const stays = look.reason === 'NotMoving' ? null : { reason: look.reason, message: look.message };
    const there = { ...answered, placedFor: look.site, leave: null, stays };
    return isCancelled ? abandoned(there, now, 'Cancelled') : there;
  }
  return leaving({ ...answered, stays: null }, look, now);
}

/** What could not be shipped was to be tried again after a pause, which ends with a look. */
function isOwed({ refused, backoff }: State): boolean {
  return refused !== null && backoff !== null;
}

function owed(state: State, clusters: readonly string[]): State {
  return { ...state, due: withCause(state.due, 'spec'), copies: toBeShipped(state.copies, clusters) };
}

/**
 * Somebody rang because a work is gone, and only this look can tell whether it was one that is wanted: then
 * it is made again.
 */
export function afterGone(state: State, { works }: Looked): State {
  const missing = wantedClusters(state).filter(
    (cluster) =>
      (state.copies[cluster]?.stamp ?? null) !== null && works.every((work) => work.cluster !== cluster),
  );
  return missing.length === 0 ? state : owed(state, missing);
}

function withTrouble(
  { awaySince }: State,
  unreachable: readonly string[],
  now: number,
): Pick<State, 'unreachable' | 'awaySince'> {
  return {
    unreachable,
    awaySince: Object.fromEntries(unreachable.map((cluster) => [cluster, awaySince[cluster] ?? now])),
  };
}

/**
 * Works that nobody knew of, such as one made just before Temporal was lost, are copies that are not wanted;
 * one that somebody has begun to delete is waited for, unless it is the work of a copy: what becomes of that
 * is found when it is shipped or removed.
 */
function withFound(state: State, { works }: Looked, now: number): Pick<State, 'copies' | 'leaving'> {
  const { copies, leaving, ringsHeard } = state;
  const unknown = works.filter(
    ({ cluster }) => copies[cluster] === undefined && leaving[cluster] === undefined,
  );
  const named = (isLeaving: boolean): string[] =>
    unknown.filter((work) => work.leaving === isLeaving).map(({ cluster }) => cluster);
  if (unknown.length === 0) return { copies, leaving };
  return {
    copies: { ...unexplained(state, named(false)), ...copies },
    leaving: { ...leavingSince(state, named(true), { now, ringsHeard }), ...leaving },
  };
}

/**
 * `Recreate` removes the old copy where it can be seen to stop. When its site is lost before that has begun,
 * the move is off: the Capp is cared for where it is, and waits for a person's word.
 */
function withoutSight(state: State, now: number): State {
  const { move, copies, unreachable, serving } = state;
  if (move?.strategy !== 'Recreate' || move.request?.force === true || serving !== move.from) return state;
  return copies[move.from] !== undefined && unreachable.includes(move.from)
    ? abandoned(state, now, 'Cancelled')
    : state;
}

/**
 * A site that can be reached has an agent that may answer again, and what was heard of it before it was away
 * is old.
 */
function asksTheUnseen(state: State, before: State): State {
  const { serving, unreachable } = state;
  if (serving === null || unreachable.includes(serving)) return state;
  const isUnseen =
    (state.copies[serving]?.silentSince ?? null) !== null || before.unreachable.includes(serving);
  return isUnseen ? { ...state, due: withCause(state.due, 'site') } : state;
}

function leaving(state: State, look: Extract<Looked, { outcome: 'Leaves' }>, now: number): State {
  const { serving, move } = state;
  if (serving === null) return state;
  const isSame = state.leave?.from === serving && state.leave.reason === look.reason && look.request === null;
  const { reason, message, to, terms, request, priority } = look;
  const before = isSame ? state.leave : null;
  const leave: Leave = {
    from: serving,
    reason,
    message,
    to,
    terms,
    request,
    priority,
    since: before?.since ?? now,
    lookedAt: now,
    permit: before?.permit ?? null,
  };
  if (move !== null && move.to === to)
    return request === null ? state : { ...state, move: { ...move, request } };
  const isCancelled = move !== null && move.from === serving && request !== null;
  const next = isCancelled ? abandoned(state, now, 'Cancelled') : state;
  // Without a site there is nothing to leave: the request is answered when one has been chosen.
  return next.serving === null ? { ...next, request } : { ...next, leave };
}

function withAnswer(state: State, handled: Handled | null): State {
  if (handled === null) return state;
  const { source, id } = handled;
  const annotated =
    source === 'migrate' || source === 'force' ? { ...state.annotated, [source]: id } : state.annotated;
  const isAnswered = state.request?.source === source && state.request.id === id;
  return { ...state, handled, annotated, request: isAnswered ? null : state.request };
}
