// The public key to which what goes to a site is sealed, and how the site says it: by a ClusterClaim, which
// OCM's agent copies into the status of its ManagedCluster as that site and no other.
import { digestOf } from '../digest.ts';
import type { ManagedCluster } from '../ocm/ocm.ts';

/** The claim of a site's present key, of its site operator. */
export const SEALING_CLAIM = 'sealing.cappstan.dana.io';

/** The Secret of a site's keys, in the Namespace of its site operator. */
export const SITE_KEYS = 'cappstan-sealing';

const PREFIX = 'x25519.';
const BYTES = 32;

/** What the claim says of a key. */
export function claimText(publicKey: Buffer): string {
  return `${PREFIX}${publicKey.toString('base64url')}`;
}

/** By which what is sealed names the key that opens it: sixteen hex digits. */
export function keyIdOf(publicKey: Buffer): string {
  return digestOf(publicKey.toString('base64url'), 16);
}

/** What a cluster claims, whether it can be read or not. */
export function sealingClaimOf(cluster: Pick<ManagedCluster, 'status'> | null): string | undefined {
  return cluster?.status?.clusterClaims?.find(({ name }) => name === SEALING_CLAIM)?.value;
}

/**
 * The key that a cluster claims; null if it claims none that can be read. A site may claim anything: what is
 * sealed to a key that is not its own it cannot open, and nobody else gets to see it.
 */
export function siteKeyOf(cluster: Pick<ManagedCluster, 'status'> | undefined): Buffer | null {
  const value = sealingClaimOf(cluster ?? null);
  if (typeof value !== 'string' || !value.startsWith(PREFIX)) return null;
  const raw = Buffer.from(value.slice(PREFIX.length), 'base64url');
  return raw.length === BYTES && claimText(raw) === value ? raw : null;
}
