// By what a hub's authority is known: the SHA-256 of its public key, as kubeadm's discovery hash is. It stays
// when the certificate is renewed for the same key.
import { createHash, X509Certificate, type KeyObject } from 'node:crypto';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** `sha256:…` */
export function fingerprintOfKey(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(der).digest('hex')}`;
}

/** The certificates of a PEM text, in order. Throws for a block that is none. */
export function certificatesOf(text: string): readonly X509Certificate[] {
  return (text.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
}

/**
 * Those for exactly this key, as PEM; null if there is none. Whoever trusts these alone trusts the key: of a
 * text that anybody may have sent nothing else may be believed.
 */
export function withFingerprint(text: string, fingerprint: string): string | null {
  const good = certificatesOf(text).filter(({ publicKey }) => fingerprintOfKey(publicKey) === fingerprint);
  return good.length === 0 ? null : good.map(String).join('');
}
