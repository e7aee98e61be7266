// When the webhook's certificate is replaced, so that the API server always trusts the one that is served:
// pure.
import { endOf, hostsOf, type Issued, type Pair } from './certificate.ts';
import { TLS_TIMES } from './times.ts';

/** What all replicas share. */
export interface CertificateSet {
  readonly serving: Pair;
  /** Issued, and served once the API server trusts its authority. */
  readonly next: Pair | null;
  /** PEM, the newest first: that of `next`, of `serving`, and of what was served before. */
  readonly authorities: string;
}

export type Due =
  /** No usable certificate: issue one at once. */
  | 'replace'
  /** Two thirds of its lifetime are over: issue the next one, to be served later. */
  | 'prepare'
  | 'nothing';

export function due(certificates: CertificateSet | null, hosts: readonly string[], now: number): Due {
  if (certificates === null) return 'replace';
  const { cert } = certificates.serving;
  const left = endOf(cert) - now;
  if (!(left > 0) || !hosts.every((host) => hostsOf(cert).includes(host))) return 'replace';
  return left < TLS_TIMES.lifetime.ms / 3 && certificates.next === null ? 'prepare' : 'nothing';
}

/** Our hosts and, while replicas of two versions run side by side, those of the other version. */
export function hostsFor(
  certificates: CertificateSet | null,
  hosts: readonly string[],
  now: number,
): string[] {
  const isAlive = certificates !== null && endOf(certificates.serving.cert) > now;
  return [...new Set([...hosts, ...(isAlive ? hostsOf(certificates.serving.cert) : [])])];
}

export function replaced(
  certificates: CertificateSet | null,
  { cert, key, authority }: Issued,
): CertificateSet {
  return { serving: { cert, key }, next: null, authorities: authority + newest(certificates) };
}

export function prepared(certificates: CertificateSet, { cert, key, authority }: Issued): CertificateSet {
  return { ...certificates, next: { cert, key }, authorities: authority + newest(certificates) };
}

export function promoted(certificates: CertificateSet): CertificateSet {
  return { ...certificates, serving: certificates.next ?? certificates.serving, next: null };
}

/** The newest two, one of which signed what is served. */
function newest(certificates: CertificateSet | null): string {
  const all =
    certificates?.authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return all.slice(0, 2).join('');
}
