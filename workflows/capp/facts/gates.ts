// When a Capp that should be elsewhere may go. Each gate has a time or an answer that opens it, and a reason
// for users. Pure.
import type { Leave } from '../../types/moves.ts';
import type { State } from '../state.ts';

/**
 * A drain that has not answered after this many milliseconds counts as absent: the Capp leaves without a
 * turn.
 */
const PERMIT_MS = 30_000;
/** After this many milliseconds, a drain that answered Wait is asked again: it may have ended. */
const REPEAT_MS = 600_000;

/**
 * Why a Capp that should leave has not left, and until when (milliseconds since the epoch) if that is known.
 */
export type LeaveGate =
  | { readonly reason: 'Stabilising' | 'CoolDown'; readonly until: number }
  | { readonly reason: 'NoCandidate' | 'PermitAsked'; readonly until: number | null }
  | { readonly reason: 'AwaitsConfirmation'; readonly until: null };

/** The Capp has asked for its turn, and the drain has not answered yet. */
export function isAskingForTurn(state: State, now: number): boolean {
  return (
    state.move === null &&
    state.leave?.permit?.answer === null &&
    gateOf(state, now)?.reason === 'PermitAsked'
  );
}

/** The first gate that is closed, or null. */
export function gateOf(state: State, now: number): LeaveGate | null {
  const { leave } = state;
  if (leave === null) return null;
  if (now < leave.since + leave.terms.holdMs)
    return { reason: 'Stabilising', until: leave.since + leave.terms.holdMs };
  const cool = coolAt(state, leave);
  if (now < cool) return { reason: 'CoolDown', until: cool };
  const retry = retryAt(state, leave);
  if (leave.to === null && (retry === null || now < retry)) return { reason: 'NoCandidate', until: retry };
  if (needsWord(state, leave)) return { reason: 'AwaitsConfirmation', until: null };
  return leave.to === null || !leave.terms.inBulk ? null : permitGate(leave, now);
}

/** With `Recreate`, a copy on an unreachable site may still run: a person must confirm that it is stopped. */
function needsWord({ unreachable }: State, { from, terms, request }: Leave): boolean {
  return terms.strategy === 'Recreate' && unreachable.includes(from) && request?.force !== true;
}

function permitGate({ permit }: Leave, now: number): LeaveGate | null {
  if (permit === null) return { reason: 'PermitAsked', until: null };
  if (permit.answer === 'Go') return null;
  if (permit.answer === 'Wait') return { reason: 'PermitAsked', until: permit.askedAt + REPEAT_MS };
  return now >= permit.askedAt + PERMIT_MS
    ? null
    : { reason: 'PermitAsked', until: permit.askedAt + PERMIT_MS };
}

export function isTurnToBeAsked({ permit }: Leave, now: number): boolean {
  return permit === null || (permit.answer === 'Wait' && now >= permit.askedAt + REPEAT_MS);
}

function coolAt({ movedAt }: State, { terms }: Leave): number {
  return movedAt === null ? 0 : movedAt + terms.cooldownMs;
}

/** When a site that is avoided may be tried again; null if none is avoided. */
function retryAt({ avoid }: State, { lookedAt }: Leave): number | null {
  const times = Object.values(avoid).filter((until) => until > lookedAt);
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * When the last gate opened, in milliseconds since the epoch: a review from before that is too old. A permit
 * brings a review of its own.
 */
export function opensAt(state: State, leave: Leave): number {
  const { since, terms, to, permit } = leave;
  const retry = to === null ? (retryAt(state, leave) ?? 0) : 0;
  const alone = permit !== null && permit.answer === null ? permit.askedAt + PERMIT_MS : 0;
  return Math.max(since + terms.holdMs, coolAt(state, leave), retry, alone);
}
