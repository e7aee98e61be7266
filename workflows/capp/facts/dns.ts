// Whether users of a Capp's hostname have followed its DNS record. Pure.
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isHealthy } from './copies.ts';

/** A question to an agent has ended by then, in milliseconds, or has been lost with the run that asked. */
const ANSWERED_MS = 300_000;

/** The record is in DNS as it should be. Where there is none, nobody is led by it. */
export function isSynced({ dns, serving }: Pick<State, 'dns' | 'serving'>): boolean {
  return dns === undefined || !dns.isThere || (dns.cluster === serving && dns.syncedAt !== null);
}

/** Nobody is led elsewhere than to the serving site any more: what resolvers may keep has expired. */
export function isLed(state: State, now: number): boolean {
  const { dns } = state;
  if (dns === undefined || !dns.isThere) return true;
  return isSynced(state) && now >= (dns.syncedAt ?? now) + dns.ttlMs;
}

/**
 * Users may still be led to this copy, and it serves them, or nobody knows: in a move until its deadline, or
 * until its agent, which was asked before the copy goes, has answered. A lost site holds nothing up.
 */
export function isStillLedTo(state: State, cluster: string, copy: Copy, now: number): boolean {
  if (isLed(state, now) || state.unreachable.includes(cluster)) return false;
  const isUnknown = copy.finding === null && now < (state.move?.deadline ?? Infinity);
  return isHealthy(copy) || isUnknown || isBeingAsked(copy, now);
}

function isBeingAsked(copy: Copy, now: number): boolean {
  const isOver = hasAnswered(copy) || isAskedInVain(copy);
  return copy.askedAt !== undefined && !isOver && now < copy.askedAt + ANSWERED_MS;
}

/** Its agent was asked before the copy goes, and has reported on it since. */
export function hasAnswered({ askedAt, heardAt }: Copy): boolean {
  return askedAt !== undefined && heardAt >= askedAt;
}

/** It was asked in the same way, and has been silent. */
export function isAskedInVain({ askedAt, silentSince }: Copy): boolean {
  return askedAt !== undefined && silentSince !== null && silentSince >= askedAt;
}
