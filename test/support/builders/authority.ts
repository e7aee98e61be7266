// Authorities as a person may bring them: with any key, of any issuer, in any time.
import { createPrivateKey, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { x509, type X509Certificate } from '../../../tls/x509.ts';

export interface Kept {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly algorithm: Algorithm;
}

type Algorithm = webcrypto.RsaHashedKeyGenParams | (webcrypto.EcKeyGenParams & { hash: string });

export const P256: Algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
export const P384: Algorithm = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' };
export const RSA: Algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

export interface AuthorityOptions {
  readonly algorithm?: Algorithm;
  /** Null: it signs itself. */
  readonly by?: Kept | null;
  readonly isAuthority?: boolean;
  /** From now, in milliseconds. */
  readonly endsIn?: number;
}

const DAY_MS = 86_400_000;

/** Its names are PrintableStrings, as OpenSSL and company authorities write them. */
export async function authority(name: string, options: AuthorityOptions = {}): Promise<Kept> {
  const { algorithm = P256, by = null, isAuthority = true, endsIn = 3650 * DAY_MS } = options;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const subject = new x509.Name([
    { O: [{ printableString: 'Example' }] },
    { CN: [{ printableString: name }] },
  ]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    notBefore: new Date(Date.now() - 365 * DAY_MS),
    notAfter: new Date(Date.now() + endsIn),
    subject,
    issuer: by?.certificate.subjectName ?? subject,
    publicKey: keys.publicKey,
    signingKey: (by?.keys ?? keys).privateKey,
    signingAlgorithm: (by?.algorithm ?? algorithm) as webcrypto.EcdsaParams,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys, algorithm };
}

/** Writes `<name>.crt`, with the certificates behind it, and `<name>.key` in the form that OpenSSL uses. */
export async function writeAuthority(
  dir: string,
  name: string,
  { certificate, keys }: Kept,
  behind: readonly Kept[] = [],
): Promise<{ cert: string; key: string }> {
  const pair = { cert: join(dir, `${name}.crt`), key: join(dir, `${name}.key`) };
  const chain = [certificate, ...behind.map((one) => one.certificate)];
  writeFileSync(pair.cert, chain.map((one) => `${one.toString('pem')}\n`).join(''));
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1';
  writeFileSync(pair.key, key.export({ type, format: 'pem' }));
  return pair;
}
