// When a certificate of ours is replaced, and how without a moment in which the API server does not trust it: pure.
import { endOf, hostsOf, type Issued, type Pair } from './certificate.ts';
import { TLS_TIMES } from './times.ts';

/** What all replicas share. */
export interface Holding {
  readonly serving: Pair;
  /** Issued, and served once the API server trusts its authority. */
  readonly coming: Pair | null;
  /** PEM, the newest first: that of `coming`, of `serving`, and of what was served before. */
  readonly authorities: string;
}

export type Due =
  /** There is none that can be served: a new one at once. */
  | 'replace'
  /** Two thirds of its life are over: a new one, to be served later. */
  | 'prepare'
  | 'nothing';

export function due(holding: Holding | null, hosts: readonly string[], now: number): Due {
  if (holding === null) return 'replace';
  const { cert } = holding.serving;
  const left = endOf(cert) - now;
  if (!(left > 0) || !hosts.every((host) => hostsOf(cert).includes(host))) return 'replace';
  return left < TLS_TIMES.lifetime.ms / 3 && holding.coming === null ? 'prepare' : 'nothing';
}

/** Those that are asked for and, while replicas of two versions run beside each other, those that others have asked for. */
export function hostsFor(holding: Holding | null, hosts: readonly string[], now: number): string[] {
  const isAlive = holding !== null && endOf(holding.serving.cert) > now;
  return [...new Set([...hosts, ...(isAlive ? hostsOf(holding.serving.cert) : [])])];
}

export function replaced(holding: Holding | null, { cert, key, authority }: Issued): Holding {
  return { serving: { cert, key }, coming: null, authorities: authority + newest(holding) };
}

export function prepared(holding: Holding, { cert, key, authority }: Issued): Holding {
  return { ...holding, coming: { cert, key }, authorities: authority + newest(holding) };
}

export function promoted(holding: Holding): Holding {
  return { ...holding, serving: holding.coming ?? holding.serving, coming: null };
}

/** Two: that of what is served, wherever it stands, is one of them. */
function newest(holding: Holding | null): string {
  const all = holding?.authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return all.slice(0, 2).join('');
}
