// What signs certificates: an authority of ours, or one that somebody gave, with whatever key it has.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createPrivateKey, webcrypto, X509Certificate as Read, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { x509, type X509Certificate } from '../../../tls/x509.ts';

/** Paths of a PEM certificate, or of several of which the first one is meant, and of its key. */
interface Files {
  readonly cert: string;
  readonly key: string;
}

export interface Signer {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
  readonly algorithm: Algorithm;
  /** What a server sends behind its own certificate: those of the file that did not sign themselves. */
  readonly chain: readonly X509Certificate[];
}

type Algorithm = { readonly name: string; readonly hash: string; readonly namedCurve?: string };

/** By OpenSSL's name. */
const CURVES: Readonly<Record<string, Algorithm>> = {
  prime256v1: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
};

/** Throws for files that cannot be read, and for a key that is neither RSA nor of a NIST curve. */
export async function openSigner({ cert, key }: Files): Promise<Signer> {
  const certificates = await certificatesOf(cert);
  const [certificate] = certificates;
  if (certificate === undefined) throw new Error(`${cert} has no certificate (PEM).`);
  const secret = createPrivateKey(await readFile(key));
  const algorithm = algorithmOf(secret);
  if (algorithm === null)
    throw new Error(`The key in ${key} is neither RSA nor of the curve P-256, P-384 or P-521.`);
  const der = secret.export({ type: 'pkcs8', format: 'der' });
  return {
    certificate,
    key: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    algorithm,
    chain: certificates.filter((one) => one.subject !== one.issuer),
  };
}

/** Null for a key that cannot sign here. */
export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm | null {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  return CURVES[asymmetricKeyDetails?.namedCurve ?? ''] ?? null;
}

/** The certificates of a PEM file, in order. */
async function certificatesOf(file: string): Promise<readonly X509Certificate[]> {
  const text = await readFile(file, 'utf8');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new x509.X509Certificate(block));
}

/**
 * Whether the pair can stay: this signer's, for all these hosts, begun by this machine's clock, and with a
 * third of its life before it.
 */
export async function isGood(
  { cert, key }: Files,
  { certificate: issuer }: Signer,
  hosts: readonly string[],
): Promise<boolean> {
  if (!existsSync(cert) || !existsSync(key)) return false;
  const [known, authority] = [new Read(await readFile(cert)), new Read(Buffer.from(issuer.rawData))];
  const [from, to] = [known.validFromDate.getTime(), known.validToDate.getTime()];
  const isOurs = known.checkIssued(authority) && known.verify(authority.publicKey);
  const isFor = (host: string): boolean =>
    (isIP(host) === 0 ? known.checkHost(host) : known.checkIP(host)) !== undefined;
  // One that ends with its authority would be written again for ever, to no avail.
  const isLast = to >= authority.validToDate.getTime();
  const now = Date.now();
  return isOurs && hosts.every(isFor) && from <= now && (isLast || to - now > (to - from) / 3);
}
