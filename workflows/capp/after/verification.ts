// The state after the checks of a copy have begun or ended. Pure.
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isNeedless } from '../facts/verification.ts';
import {
  judge,
  longestOf,
  unmeasured,
  VERIFY_SPARE_MS,
  type Verification,
  type VerificationOrder,
} from '../../types/verification.ts';
import type { Verified } from '../verifier.ts';

/**
 * Notes by when the verdict should be there. A move waits for it once: its deadline is moved so far, and no
 * further when the checks begin again.
 */
export function verifying(state: State, cluster: string, now: number): State {
  const copy = state.copies[cluster];
  if (copy?.order === undefined || copy.verifyBy !== undefined) return state;
  const verifyBy = now + 2 * longestOf(copy.order) + VERIFY_SPARE_MS;
  const { move } = state;
  const isMove = move !== null && move.to === cluster && state.serving !== cluster;
  return {
    ...state,
    move: isMove ? { ...move, deadline: Math.max(move.deadline, verifyBy) } : move,
    copies: { ...state.copies, [cluster]: { ...copy, verifyBy } },
  };
}

/** A verdict counts for exactly the stamp and the order that were asked about. */
export function afterVerified(state: State, verified: Verified, now: number): State {
  const { cluster, stamp, order } = verified;
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp !== stamp || copy.order?.key !== order.key) return state;
  const verification = verdictOn(verified, now);
  return { ...state, copies: { ...state.copies, [cluster]: { ...copy, verification } } };
}

function verdictOn(verified: Verified, now: number): Verification {
  const { cluster, order } = verified;
  switch (verified.outcome) {
    case 'Checked':
      return judge(order, cluster, verified.checked.figures, now);
    case 'Absent':
      return unmeasured(order, cluster, 'it does not have what was sent there.', now);
    case 'Unanswered':
      return unmeasured(order, cluster, verified.why, now);
  }
}

/** Of a copy that was shipped: what was found out about another stamp, or by another order, is gone. */
export function withOrder(copy: Copy, isSame: boolean, order: VerificationOrder | undefined): Copy {
  const { order: before, verifyBy, verification, ...rest } = copy;
  // What a move asked for stays said of the same stamp.
  const now = order ?? (isSame ? before : undefined);
  if (now === undefined) return rest;
  if (!isSame || now.key !== before?.key) return { ...rest, order: now };
  return {
    ...rest,
    order: now,
    ...(verifyBy === undefined ? {} : { verifyBy }),
    ...(verification === undefined ? {} : { verification }),
  };
}

/**
 * A copy that is disabled has nothing to be checked: neither a move nor a reader of the status waits for it.
 */
export function withoutNeedless(state: State): State {
  const copies = Object.entries(state.copies);
  if (!copies.some(([, copy]) => isNeedless(copy))) return state;
  const left = copies.map(([cluster, copy]): [string, Copy] => [
    cluster,
    isNeedless(copy) ? withOrder(copy, false, undefined) : copy,
  ]);
  return { ...state, copies: Object.fromEntries(left) };
}

/**
 * What the status has said of exactly this order and this content, of a copy of which nothing else is known.
 * The new copy of a move is checked once more by each try.
 */
export function withFailed(
  copy: Copy,
  { failed, isComing }: { readonly failed: Verification | undefined; readonly isComing: boolean },
): Copy {
  const isKnown = copy.verification !== undefined || copy.verifyBy !== undefined;
  return failed === undefined || isComing || isKnown || copy.order?.key !== failed.key
    ? copy
    : { ...copy, verification: failed };
}
