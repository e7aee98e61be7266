// Whether users who were sent to the new copy of a move return to the old one. Nobody watches the old copy
// after they left it, so its agent is asked first. Pure.
import type { Move } from '../../types/moves.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isHealthy } from '../facts/copies.ts';
import { isSynced } from '../facts/dns.ts';
import { lackOfHostname } from '../facts/hostname.ts';

/** How often the old copy's agent is asked without a ring, in milliseconds: it may have been silent. */
const AGAIN_MS = 600_000;

/**
 * Sends users back if the new copy was lost while the old site is reachable, or while the old copy serves if
 * the new one failed or lost its hostname, or DNS still leads users to the old one. If both sites are
 * unreachable, users stay where they were sent.
 */
export function mayGoBack(state: State, move: Move, now: number): boolean {
  const old = state.copies[move.from];
  if (state.unreachable.includes(move.to)) return !state.unreachable.includes(move.from);
  const isKnown = old?.heard === true || move.askedBack?.at === null;
  return isLateAndWorse(state, move, now) && isWell(state, move.from, old) && isKnown;
}

/**
 * Whether the old copy's agent is to be asked now: at the deadline, after each ring, and from time to time.
 */
export function asksBack(state: State, now: number): boolean {
  const at = asksBackAt(state, now);
  return at !== null && at <= now;
}

/**
 * From when on the old copy's agent is to be asked, in milliseconds since the epoch; null while users need
 * not return, or a site is unreachable.
 */
export function asksBackAt(state: State, now: number): number | null {
  const { move, serving, unreachable, copies, ringsHeard, paused } = state;
  if (move === null || paused || serving !== move.to || !isLateAndWorse(state, move, now)) return null;
  const isShippedThere = (copies[move.from]?.stamp ?? null) !== null;
  if (!isShippedThere || [move.from, move.to].some((site) => unreachable.includes(site))) return null;
  const { askedBack } = move;
  if (askedBack?.ringsHeard !== ringsHeard) return now;
  return askedBack.at === null ? null : askedBack.at + AGAIN_MS;
}

function isLateAndWorse(state: State, move: Move, now: number): boolean {
  return now >= move.deadline && isWorse(state, move);
}

/** Users of the new copy are worse off than those of an old copy that serves. */
export function isWorse(state: State, { to, strategy }: Move): boolean {
  if (strategy === 'Recreate') return false;
  return !isWell(state, to, state.copies[to]) || lackOfHostname(state) !== null || !isSynced(state);
}

function isWell({ unreachable }: State, cluster: string, copy: Copy | undefined): boolean {
  return isHealthy(copy) && copy?.silentSince === null && !unreachable.includes(cluster);
}
