// The next step of a move. Make before break: the old copy goes only when the new one is Ready, published and
// confirmed. Pure.
import type { Move } from '../../types/moves.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isHealthy, isOthers, isRefusedForGood, isShipped, isWhole, mayServe } from '../facts/copies.ts';
import { asksBack, mayGoBack } from './going-back.ts';
import { isStillLedTo } from '../facts/dns.ts';
import { isOldServing, lackOfHostname } from '../facts/hostname.ts';
import { hasFailedChecks, lackOfChecks } from '../facts/verification.ts';

type MoveStep =
  | { readonly do: 'switch' | 'extend' | 'abandon' | 'arrive' }
  | { readonly do: 'report'; readonly cluster: string };

/** Null while the move only waits for its copies. */
export function moveStep(state: State, now: number): MoveStep | null {
  const { move, serving } = state;
  if (move === null) return null;
  if (serving === move.to) return afterSwitch(state, move, now);
  if (move.strategy === 'Recreate') return mayRecreate(state, move) ? { do: 'switch' } : null;
  const copy = state.copies[move.to];
  if (copy === undefined) return { do: 'abandon' };
  const isAway = state.unreachable.includes(move.to);
  // Users are not sent to an unreachable site, from which the next look would bring them back.
  const isLate = now >= move.deadline;
  if (!isAway && isGood(state, copy, isLate)) return { do: 'switch' };
  if (isOvertaken(state, move)) return { do: 'abandon' };
  const isBad = isLate || isAway || isRefusedForGood(copy) || hasFailedChecks(state);
  if (isBad && mayAbandon(state, copy)) return { do: 'abandon' };
  return isLate ? { do: 'extend' } : null;
}

function afterSwitch(state: State, move: Move, now: number): MoveStep | null {
  const old = state.copies[move.from];
  const copy = state.copies[move.to];
  if (move.strategy === 'Recreate') return isOver(state, move, copy) ? { do: 'arrive' } : null;
  // An old copy that the hub refuses to delete becomes an extra copy. The move ends all the same.
  if (old === undefined || old.failedRemoval?.reason === 'Refused') return { do: 'arrive' };
  if (asksBack(state, now)) return { do: 'report', cluster: move.from };
  if (mayGoBack(state, move, now)) return { do: 'abandon' };
  if (isOvertaken(state, move)) return { do: 'arrive' };
  // Until nobody is led to the old site any more, its copy stays.
  if (isStillLedTo(state, move.from, old, now)) return null;
  const mayAsk = copy !== undefined && copy.finding !== null && copy.silentSince === null;
  return mayAsk && move.confirmation === 'Due' ? { do: 'report', cluster: move.to } : null;
}

/**
 * With `Recreate` there is no copy to go back to: the move ends when the new copy is shipped, or cannot be.
 */
function isOver({ refused, unreachable }: State, { to }: Move, copy: Copy | undefined): boolean {
  return (copy !== undefined && isShipped(copy)) || refused !== null || unreachable.includes(to);
}

/**
 * Both sites were lost, and a review has named a third. The move ends where users are, so that the next one
 * can begin. Ending it removes nothing.
 */
function isOvertaken({ unreachable, leave, serving }: State, { from, to }: Move): boolean {
  const isFound = leave !== null && leave.from === serving && leave.to !== null;
  return isFound && leave.to !== to && unreachable.includes(from) && unreachable.includes(to);
}

/**
 * The new copy is Ready for the present generation, with everything that its work carries, its site answers
 * for the hostname if the old one does, and its checks have passed. Where nothing serves, or a person forces
 * the move, being on the site is enough. A work of which the site refuses a part for good, such as a Secret
 * of another owner, is never enough.
 */
function isGood(state: State, copy: Copy, isLate: boolean): boolean {
  const isSent = isShipped(copy) && copy.generation === state.generation;
  if (!isSent || state.refused !== null || isRefusedForGood(copy)) return false;
  const lacksNothing = lackOfHostname(state) === null && lackOfChecks(state) === null;
  return (isReady(state, copy, isLate) && lacksNothing) || isEnough(state, copy);
}

/**
 * After the deadline, OCM's conditions are no longer waited for, nor what a quota or a policy keeps from the
 * site, unless the old copy serves meanwhile.
 */
function isReady(state: State, copy: Copy, isLate: boolean): boolean {
  return copy.finding?.verdict === 'Ready' && (isWhole(copy) || (isLate && !isOldServing(state)));
}

function isEnough({ copies, move }: State, copy: Copy): boolean {
  const isOnSite = copy.finding !== null || copy.work?.applied === 'True';
  const from = move === null ? undefined : copies[move.from];
  // Whether it is any better there is what a move of an unhealthy Capp has to find out.
  const nothingServes = move?.reason !== 'Unhealthy' && from?.finding !== null && !isHealthy(from);
  return isOnSite && (nothingServes || move?.request?.force === true);
}

/** A new copy that may be the last healthy one is kept, and waited for. */
function mayAbandon(state: State, copy: Copy): boolean {
  const isRefuted = state.move?.reason === 'Unhealthy' && (lackOfChecks(state) !== null || !isHealthy(copy));
  // Where the site is another hub's, no agent has anything to report of it.
  if (isOthers(copy) && !mayServe(copy)) return true;
  return isOldServing(state) || (copy.heard && !isHealthy(copy)) || copy.stamp === null || isRefuted;
}

/** The old copy is known to be gone, or a person has confirmed that it can be disregarded. */
function mayRecreate({ copies, leaving }: State, { from, request }: Move): boolean {
  return copies[from] === undefined && (leaving[from] === undefined || request?.force === true);
}
