// The state after a review of whether the Capp should be elsewhere. Pure.
import type { Handled, Leave } from '../../../types/moves.ts';
import type { Choice } from '../../../ports/choice.ts';
import type { State } from '../../state.ts';
import { wantedClusters } from '../../facts/copies.ts';
import { isIll } from '../../facts/health.ts';
import { lookedAtIll, withHealthUnknown } from './healing.ts';
import { leavingSince, toBeShipped, unexplained } from '../copies.ts';
import { abandoned } from './abandoned.ts';
import { unjudged, withCause } from './moved.ts';

type Looked = Extract<Choice, { outcome: 'Stays' | 'Leaves' }>;

/** The state after a review of a Capp that has a site. */
export function afterLook(before: State, look: Looked, now: number): State {
  const state = isShipDue(before) ? shippingAgain(before, wantedClusters(before)) : before;
  const known = {
    ...state,
    backoff: null,
    generation: Math.max(state.generation, look.generation),
    ...withTrouble(state, look.unreachable, now),
    ...withFound(state, look, now),
  };
  const ill = { isKnown: isIll(before), isHeld: isHeld(look) };
  const seen = lookedAtIll(unseenIfLost(endedIfOldSiteIsLost(known, now)), ill, now);
  const answered = withAnswer(askingAgentAgain(seen, state), look.handled);
  if (look.outcome === 'Stays') {
    const isCancelled = look.handled?.reason === 'AlreadyThere' && answered.move?.from === answered.serving;
    const stays = look.reason === 'NotMoving' ? null : { reason: look.reason, message: look.message };
    const there = { ...answered, placedFor: look.site, leave: null, stays };
    return isCancelled ? abandoned(there, now, 'Cancelled') : there;
  }
  return leaving({ ...answered, stays: null }, look, now);
}

/** What holds an unhealthy Capp may end without a ring. */
function isHeld(look: Looked): boolean {
  return look.outcome === 'Stays' ? look.reason === 'FleetUnhealthy' : look.to === null;
}

/** What its agent said before is no ground once the site was lost. */
function unseenIfLost(state: State): State {
  const { serving, unreachable } = state;
  return serving !== null && unreachable.includes(serving) ? withHealthUnknown(state, serving) : state;
}

/** A ship that failed was to be tried again after a backoff, which this review ends. */
function isShipDue({ refused, backoff }: State): boolean {
  return refused !== null && backoff !== null;
}

function shippingAgain(state: State, clusters: readonly string[]): State {
  return { ...state, due: withCause(state.due, 'spec'), copies: toBeShipped(state.copies, clusters) };
}

/**
 * A ring reported that a work is gone. Only this look can tell whether that work is wanted. If so, it is
 * shipped again.
 */
export function afterGone(state: State, { works }: Looked): State {
  const missing = wantedClusters(state).filter(
    (cluster) =>
      (state.copies[cluster]?.stamp ?? null) !== null && works.every((work) => work.cluster !== cluster),
  );
  return missing.length === 0 ? state : shippingAgain(state, missing);
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
 * Works that the state did not have, such as one that was created just before Temporal lost its data, are
 * copies that are not wanted. A work that is being deleted is waited for, unless it belongs to a known copy:
 * the next apply or removal finds out about that.
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
 * `Recreate` removes the old copy where an agent sees it stop. If its site is lost before that has begun, the
 * move ends: the Capp stays where it is until a person confirms that the old copy is stopped.
 */
function endedIfOldSiteIsLost(state: State, now: number): State {
  const { move, copies, unreachable, serving } = state;
  if (move?.strategy !== 'Recreate' || move.request?.force === true || serving !== move.from) return state;
  return copies[move.from] !== undefined && unreachable.includes(move.from)
    ? abandoned(state, now, 'Cancelled')
    : state;
}

/** A site that is reachable again has an agent that may answer, and reports from before are old. */
function askingAgentAgain(state: State, before: State): State {
  const { serving, unreachable } = state;
  if (serving === null || unreachable.includes(serving)) return state;
  const isUnseen =
    (state.copies[serving]?.silentSince ?? null) !== null || before.unreachable.includes(serving);
  return isUnseen ? { ...state, due: withCause(state.due, 'site') } : state;
}

type Leaving = Extract<Looked, { outcome: 'Leaves' }>;

function leaving(state: State, look: Leaving, now: number): State {
  const { serving, move } = state;
  const { request, to, asked } = look;
  if (serving === null) return state;
  if (move !== null && move.to === to)
    return request === null
      ? state
      : askedAgain(state, { ...move, request, ...(asked === undefined ? {} : { asked }) });
  const isCancelled = move !== null && move.from === serving && request !== null;
  const next = isCancelled ? abandoned(state, now, 'Cancelled') : state;
  // Without a site there is nothing to leave: the request is answered when one has been chosen.
  return next.serving === null
    ? { ...next, request }
    : { ...next, leave: leaveOf(state, look, now, serving) };
}

/** A person who asks for the same move once more has its new copy checked once more. */
function askedAgain(state: State, move: NonNullable<State['move']>): State {
  const copy = state.copies[move.to];
  const isJudged = copy?.verification !== undefined && state.serving !== move.to;
  return {
    ...state,
    move,
    copies: isJudged ? { ...state.copies, [move.to]: unjudged(copy) } : state.copies,
  };
}

/** The reason to leave keeps its start and its permit while it stays the same. */
function leaveOf(state: State, look: Leaving, now: number, from: string): Leave {
  const { reason, message, to, terms, request, asked, priority } = look;
  const isSame = state.leave?.from === from && state.leave.reason === reason && request === null;
  const before = isSame ? state.leave : null;
  return {
    from,
    reason,
    message,
    to,
    terms,
    request,
    ...(asked === undefined ? {} : { asked }),
    priority,
    since: before?.since ?? now,
    lookedAt: now,
    permit: before?.permit ?? null,
  };
}

function withAnswer(state: State, handled: Handled | null): State {
  if (handled === null) return state;
  const { source, id } = handled;
  const annotated =
    source === 'migrate' || source === 'force' ? { ...state.annotated, [source]: id } : state.annotated;
  const isAnswered = state.request?.source === source && state.request.id === id;
  return { ...state, handled, annotated, request: isAnswered ? null : state.request };
}
