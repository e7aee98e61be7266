// The state while a Capp moves from one site to another. Pure.
import type { Leave, Move, MoveRecord, Permit, Request } from '../../../types/moves.ts';
import { CAUSES, type Cause } from '../../../types/ring.ts';
import type { Placing, State } from '../../state.ts';
import type { Copy } from '../../../types/copy.ts';
import type { PermitGiven } from '../../../types/turns.ts';
import { isHealthy, refusalOf } from '../../facts/copies.ts';
import { NEW_COPY } from '../copies.ts';
import { trying } from './healing.ts';
import { lackOfHostname } from '../../facts/hostname.ts';

/** For so long a site is avoided that has refused a Capp as another hub's, in milliseconds: a day. */
export const OTHER_HUB_MS = 86_400_000;
/** For this many milliseconds a review still tells where to go. */
const FRESH_MS = 5_000;
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
export function begun(before: State, now: number): State {
  const { leave } = before;
  if (leave === null || leave.to === null) return before;
  const state = avoiding(trying(before, leave), leave, now);
  const { from, to, reason, message, terms, request, asked } = leave;
  const move: Move = {
    from,
    to,
    reason,
    message,
    since: now,
    deadline: now + terms.deadlineMs,
    strategy: terms.strategy,
    request,
    ...(asked === undefined ? {} : { asked }),
    ...(terms.ignoresHostname === true ? { ignoresHostname: true } : {}),
    confirmation: 'Due',
  };
  const pin = reason === 'Asked' ? (request?.to ?? null) : state.pin;
  if (move.strategy === 'Recreate')
    return { ...state, move, pin, leave: null, copies: unwanted(state.copies, from) };
  const known = state.copies[to];
  const isNew = known === undefined || refusalOf(known) !== null;
  const begins = { ...state, move, pin, leave: null };
  // A copy that is there already gets as much time as a new one.
  return isNew
    ? { ...begins, copies: { ...state.copies, [to]: NEW_COPY } }
    : shippedThere(begins, to, { ...unjudged(known), deadline: move.deadline });
}

/** Until then the other hub is supposed to have the site that it leaves for that. */
function avoiding(state: State, { from, reason }: Leave, now: number): State {
  return reason === 'OtherHub' ? { ...state, avoid: { ...state.avoid, [from]: now + OTHER_HUB_MS } } : state;
}

/** What its checks came to before is no verdict on another try. */
export function unjudged({ verification: _verdict, verifyBy: _by, ...copy }: Copy): Copy {
  return copy;
}

function shippedThere(state: State, cluster: string, known: Copy): State {
  return {
    ...state,
    due: withCause(state.due, 'spec'),
    copies: { ...state.copies, [cluster]: remembered(known) },
  };
}

/**
 * A copy that the state remembers may have gone with its site: it is shipped and heard of again before it
 * counts.
 */
export function remembered(copy: Copy): Copy {
  return { ...wantedAsNew(copy), heard: false, appliedAtRing: -1 };
}

/** Clears a failed removal: the copy is wanted again. */
function wantedAsNew({ failedRemoval: _unremoved, ...copy }: Copy): Copy {
  return { ...copy, wanted: true };
}

export function unwanted(copies: State['copies'], cluster: string): State['copies'] {
  const copy = copies[cluster];
  return copy === undefined ? copies : { ...copies, [cluster]: toGo(copy) };
}

/** What was answered before an earlier removal, which did not come, says nothing of this one. */
export function toGo(copy: Copy): Copy {
  if (!copy.wanted) return copy;
  const { askedAt: _askedAt, ...rest } = copy;
  return { ...rest, wanted: false };
}

/** Users are sent to the new copy. */
export function switched(state: State): State {
  const { move } = state;
  if (move === null) return state;
  const known = state.copies[move.to];
  // With `Recreate`, nobody has looked at a copy that is remembered there. Otherwise it was Ready a moment
  // ago.
  const sent =
    move.strategy === 'Recreate' && known !== undefined ? shippedThere(state, move.to, known) : state;
  const copies = { ...sent.copies, [move.to]: { ...(sent.copies[move.to] ?? NEW_COPY), wanted: true } };
  const placing: Placing = {
    reason: 'Chosen',
    message: `Moved from ${move.from} to ${move.to}: ${move.message}`,
  };
  return {
    ...sent,
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

/**
 * Users may return: the old copy counts as serving when its agent has said so again. A run of an earlier
 * build does not ask (`isAsked` is false): it goes by what it knew, and waits as it did.
 */
export function askingBack(state: State, isAsked: boolean, now: number): State {
  const { move, copies, ringsHeard } = state;
  const old = move === null ? undefined : copies[move.from];
  if (move === null || old === undefined) return state;
  return {
    ...state,
    move: { ...move, askedBack: { at: isAsked ? now : null, ringsHeard } },
    copies: isAsked ? { ...copies, [move.from]: { ...old, heard: false } } : copies,
  };
}

/** The agent has confirmed the new copy: the old copy may be removed. */
export function confirmed(state: State): State {
  const { move } = state;
  if (
    move === null ||
    state.serving !== move.to ||
    move.confirmation !== 'Asked' ||
    !isHealthy(state.copies[move.to]) ||
    lackOfHostname(state) !== null
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
    lastMove: moveRecord(move, 'Moved', now),
    movedAt: now,
  };
}

export function moveRecord(
  { from, to, reason, message, since, request, asked }: Move,
  result: MoveRecord['result'],
  at: number,
): MoveRecord {
  const known = { from, to, reason, result, message, since, at, request: request?.id ?? null };
  return asked === undefined ? known : { ...known, asked };
}
