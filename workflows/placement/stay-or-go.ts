// The two outcomes of a review, with the terms of a move. Pure.
import { LEAVE_TERMS, type LeaveReason } from '../types/leave-reasons.ts';
import type { Handled, Request, MoveTerms } from '../types/moves.ts';
import type { CappMoveRules, StayReason, Stay, Go } from './outcome.ts';
import { select, type Selection } from './select.ts';
import type { PlacementInputs } from './inputs.ts';

/**
 * How long, in milliseconds, a decision without the site must last: OCM empties and fills decisions while it
 * works.
 */
const HOLD_MS = 5_000;

export interface ReviewTerms {
  readonly rules: CappMoveRules;
  readonly handled: Handled | null;
  readonly request?: Request;
}

export function stays(reason: StayReason, message: string, handled: Handled | null): Stay {
  return { goes: false, reason, message, handled };
}

export function goes(
  reason: LeaveReason,
  message: string,
  to: Selection,
  { rules, handled, request }: ReviewTerms,
): Go {
  const why = to.cluster === null ? `${message}. ${to.message}` : message;
  const pinned = to.cluster !== null && to.pinned;
  return {
    goes: true,
    reason,
    message: why,
    to: to.cluster,
    pinned,
    record: to.record,
    terms: termsOf(reason, rules),
    request: request ?? null,
    handled,
  };
}

function termsOf(reason: LeaveReason, rules: CappMoveRules): MoveTerms {
  const { stabilisationMs, cooldownMs, deadlineMs, strategy, ignoresHostname } = rules;
  const { holds, isAsked, isLost, servesNowhere, inBulk } = LEAVE_TERMS[reason];
  const hold = { AtOnce: 0, Stabilising: stabilisationMs, Decided: Math.max(HOLD_MS, stabilisationMs) };
  return {
    holdMs: hold[holds],
    cooldownMs: isAsked || isLost || servesNowhere ? 0 : cooldownMs,
    deadlineMs,
    strategy,
    inBulk,
    ...(ignoresHostname === true ? { ignoresHostname } : {}),
  };
}

/** The best site but the present one. */
export function elsewhere(inputs: PlacementInputs, now: number): Selection {
  return select({ ...inputs, present: null, left: inputs.present }, now);
}
