// The state while a Capp moves from one site to another. Pure.
import { isLost, type Move, type MoveRecord, type Permit, type Request } from '../../types/moves.ts';
import { CAUSES, type Cause } from '../../types/ring.ts';
import type { Copy, Placing, State } from '../state.ts';
import type { PermitGiven } from '../../types/turns.ts';
import { isHealthy, NEW_COPY, refusalOf } from '../decide/copies.ts';

/** For this many milliseconds a review still tells where to go. */
const FRESH_MS = 5_000;
/** How long a site that failed a Capp is avoided, in milliseconds. */
const AVOID_MS = 600_000;

/** How much longer a late move that may not be abandoned gets, in milliseconds. */
const EXTENSION_MS = 600_000;

/** Records a person's move request. The next review answers it. The newest request wins. */
export function requested(state: State, request: Request): State {
  return { ...state, request };
}

export function afterTurnRequest(state: State, permit: Permit): State {
  return state.leave === null ? state : { ...state, leave: { ...state.leave, permit } };
}

/**
 * Records a drain's answer. An answer that is no longer awaited is ignored. If the turn took long, the target
 * is reviewed again.
 */
export function permitted(state: State, { cluster: from, answer }: PermitGiven, now: number): State {
  const { leave } = state;
  if (leave?.from !== from || leave.permit === null) return state;
  const told = { ...state, leave: { ...leave, permit: { ...leave.permit, answer } } };
  return answer === 'Go' && now - leave.lookedAt > FRESH_MS ? lookingAgain(told) : told;
}

/** Begins the move: a second copy is wanted, or with `Recreate` the only copy is wanted elsewhere. */
export function begun(state: State, now: number): State {
  const { leave } = state;
  if (leave === null || leave.to === null) return state;
  const { from, to, reason, message, terms, request } = leave;
  const move: Move = {
    from,
    to,
    reason,
    message,
    since: now,
    deadline: now + terms.deadlineMs,
    strategy: terms.strategy,
    request,
    confirmation: 'Due',
  };
  const pin = reason === 'Asked' ? (request?.to ?? null) : state.pin;
  if (move.strategy === 'Recreate')
    return { ...state, move, pin, leave: null, copies: unwanted(state.copies, from) };
  const known = state.copies[to];
  // A copy that is there already gets as much time as a new one, and what its site once refused is shipped
  // again.
  const isNew = known === undefined || refusalOf(known) !== null;
  const copy = isNew ? NEW_COPY : { ...wantedAsNew(known), heard: false, deadline: move.deadline };
  return { ...state, move, pin, leave: null, copies: { ...state.copies, [to]: { ...copy, wanted: true } } };
}

/** Clears a failed removal: the copy is wanted again. */
function wantedAsNew({ failedRemoval: _unremoved, ...copy }: Copy): Copy {
  return { ...copy, wanted: true };
}

function unwanted(copies: State['copies'], cluster: string): State['copies'] {
  const copy = copies[cluster];
  return copy === undefined ? copies : { ...copies, [cluster]: { ...copy, wanted: false } };
}

/** Users are sent to the new copy. */
export function switched(state: State): State {
  const { move } = state;
  if (move === null) return state;
  const copies = { ...state.copies, [move.to]: { ...(state.copies[move.to] ?? NEW_COPY), wanted: true } };
  const placing: Placing = {
    reason: 'Chosen',
    message: `Moved from ${move.from} to ${move.to}: ${move.message}`,
  };
  return {
    ...state,
    serving: move.to,
    copies,
    placing,
    refused: null,
    leave: null,
    move: { ...move, confirmation: 'Due' },
  };
}

/**
 * A late move that may not be abandoned, because no other copy is known to serve, gets a new deadline for its
 * new copy.
 */
export function extended(state: State, now: number): State {
  const { move } = state;
  const copy = move === null ? undefined : state.copies[move.to];
  if (move === null || copy === undefined) return state;
  const deadline = now + EXTENSION_MS;
  return {
    ...state,
    move: { ...move, deadline },
    copies: { ...state.copies, [move.to]: { ...copy, deadline } },
  };
}

/**
 * The new copy's agent is asked again after users were sent there. Reports from before that do not confirm
 * the move.
 */
export function confirming(state: State): State {
  const { move } = state;
  if (move === null || state.serving !== move.to || move.confirmation === 'Given') return state;
  return { ...state, move: { ...move, confirmation: 'Asked' } };
}

/** The agent has confirmed the new copy: the old copy may be removed. */
export function confirmed(state: State): State {
  const { move } = state;
  if (
    move === null ||
    state.serving !== move.to ||
    move.confirmation !== 'Asked' ||
    !isHealthy(state.copies[move.to])
  )
    return state;
  return { ...state, move: { ...move, confirmation: 'Given' }, copies: unwanted(state.copies, move.from) };
}

/** The site does not have the copy that users were sent to: it is waited for, and asked about again. */
export function unconfirmed(state: State, cluster: string): State {
  const { move } = state;
  const copy = state.copies[cluster];
  if (move?.confirmation !== 'Asked' || copy === undefined) return state;
  return {
    ...state,
    move: { ...move, confirmation: 'Due' },
    copies: { ...state.copies, [cluster]: { ...copy, finding: null } },
  };
}

/**
 * Ends the move without its new copy: users stay on the old site, or return there. A site that failed is
 * avoided for a while.
 */
export function abandoned(state: State, now: number, result: 'Failed' | 'Cancelled'): State {
  const { move } = state;
  if (move === null) return state;
  const avoid =
    result === 'Failed' && !isAppsFault(state, move)
      ? { ...state.avoid, [move.to]: now + AVOID_MS }
      : state.avoid;
  const again = lookingAgain(state);
  return {
    ...again,
    due: withCause(withCause(again.due, 'site'), 'spec'),
    ...whereItWas(state, move),
    move: null,
    avoid,
    lastMove: recordOf(withRefusal(state, move), result, now),
    copies: wantedAgain(unwanted(state.copies, move.to), move.from),
  };
}

/** With `Recreate` the old copy may be gone already: then the Capp has no site until one is chosen. */
function whereItWas({ copies, leave, request }: State, { from }: Move): Partial<State> {
  const pending = leave?.from === from ? leave : null;
  if (copies[from] !== undefined) return { serving: from, leave: pending };
  const message = `${from} is still removing an earlier copy of this Capp.`;
  return {
    serving: null,
    placing: { reason: 'StillLeaving', message },
    stays: null,
    leave: null,
    request: request ?? pending?.request ?? null,
  };
}

/** Adds to the move's message why a site refused it. */
function withRefusal({ copies, serving }: State, move: Move): Move {
  const refused = serving === move.to ? null : refusalOf(copies[move.to]);
  return refused === null
    ? move
    : { ...move, message: `${move.message.replace(/\.$/, '')}. Given up: ${refused.message}` };
}

/**
 * The old copy is shipped again, and its agent must report that it serves before any other copy is removed
 * for it.
 */
function wantedAgain(copies: State['copies'], cluster: string): State['copies'] {
  const copy = copies[cluster];
  return copy === undefined
    ? copies
    : { ...copies, [cluster]: { ...wantedAsNew(copy), heard: false, appliedAtRing: -1 } };
}

/**
 * The same generation also fails on the old site: then the new site is not to blame, unless it is
 * unreachable.
 */
function isAppsFault(state: State, { from, to }: Move): boolean {
  if (state.unreachable.includes(to)) return false;
  const old: Copy | undefined = state.copies[from];
  return (
    state.refused !== null || (old?.finding?.verdict === 'Failed' && old.generation === state.generation)
  );
}

/** Makes the next look review the Capp's placement again. */
export function lookingAgain(state: State): State {
  return { ...state, due: withCause(state.due, 'decision'), ringsReviewed: -1 };
}

export function withCause(due: State['due'], cause: Cause): State['due'] {
  return CAUSES.filter((known) => known === cause || due.includes(known));
}

/**
 * Ends a move. The old work has been deleted and its cluster still cleans up (`leaving`), or the old copy is
 * an extra copy that is removed when that is safe.
 */
export function arrived(state: State, now: number): State {
  const { move } = state;
  if (move === null) return state;
  return {
    ...lookingAgain(state),
    copies: unwanted(state.copies, move.from),
    move: null,
    lastMove: recordOf(move, 'Moved', now),
    movedAt: now,
  };
}

function recordOf(
  { from, to, reason, message, since, request }: Move,
  result: MoveRecord['result'],
  at: number,
): MoveRecord {
  return { from, to, reason, result, message, since, at, request: request?.id ?? null };
}

/** The site that the Capp had to leave, and to which it may return. */
export function homeOf({ lastMove, serving }: Pick<State, 'lastMove' | 'serving'>): string | null {
  if (lastMove === null || lastMove.result !== 'Moved' || lastMove.to !== serving) return null;
  return isLost(lastMove.reason) || lastMove.reason === 'Tainted' || lastMove.reason === 'NotSelected'
    ? lastMove.from
    : null;
}
