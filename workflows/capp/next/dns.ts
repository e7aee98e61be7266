// When the DNS record that the hub keeps for a Capp is led to the serving site, and what is waited for. Pure.
import type { State } from '../state.ts';
import { isHealthy, servingCopy } from '../facts/copies.ts';

export type DnsStep = { readonly do: 'point'; readonly cluster: string };

/** Null while the record is as it should be, or nothing serves: then it stays where it leads. */
export function dnsStep(state: State, now: number): DnsStep | null {
  const { dns, serving, paused } = state;
  if (dns === undefined || serving === null || paused || !isHealthy(servingCopy(state))) return null;
  const isOverdue = dns.syncedAt === null && now >= dns.retryAt;
  return dns.isDue || dns.cluster !== serving || isOverdue ? { do: 'point', cluster: serving } : null;
}

/** When the record is looked at again, or users have followed it in a move; null if nothing is waited for. */
export function dnsUntil(state: State, now: number): number | null {
  const { dns, serving, paused, move } = state;
  if (dns === undefined || serving === null || paused) return null;
  if (dns.syncedAt === null) return isHealthy(servingCopy(state)) && dns.retryAt > now ? dns.retryAt : null;
  const ledAt = dns.syncedAt + dns.ttlMs;
  return (move !== null || hasOthers(state)) && ledAt > now ? ledAt : null;
}

function hasOthers({ copies }: State): boolean {
  return Object.values(copies).some(({ wanted }) => !wanted);
}
