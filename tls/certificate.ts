// Issues a serving certificate with its own authority, whose key is never stored: nobody can sign a second
// one.
import { webcrypto, X509Certificate as Read } from 'node:crypto';
import { isIP } from 'node:net';
import { x509, type Extension, type X509Certificate } from './x509.ts';
import { TLS_TIMES } from './times.ts';

/** PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Issued extends Pair {
  readonly authority: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** For these DNS names and addresses, from `now`, milliseconds since the epoch. */
export async function issue(hosts: readonly string[], now: number): Promise<Issued> {
  const [root, leaf] = [await newKeys(), await newKeys()];
  const common = {
    notBefore: new Date(now - TLS_TIMES.backdate.ms),
    notAfter: new Date(now + TLS_TIMES.lifetime.ms),
    signingAlgorithm: ALGORITHM,
  };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    serialNumber: serialNumber(),
    name: 'CN=cappstan-authority',
    keys: root,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(root.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...common,
    serialNumber: serialNumber(),
    subject: 'CN=cappstan',
    issuer: authority.subject,
    publicKey: leaf.publicKey,
    signingKey: root.privateKey,
    extensions: await extensions(hosts, authority),
  });
  return { cert: pem(certificate), key: await privatePem(leaf.privateKey), authority: pem(authority) };
}

/** When it expires, in milliseconds since the epoch. NaN for what is no certificate. */
export function endOf(cert: string): number {
  return read(cert)?.validToDate.getTime() ?? Number.NaN;
}

/** When it was issued, in milliseconds since the epoch. NaN for what is no certificate. */
export function startOf(cert: string): number {
  const from = read(cert)?.validFromDate.getTime() ?? Number.NaN;
  return from + TLS_TIMES.backdate.ms;
}

/** The names and addresses that a certificate is for. */
export function hostsOf(cert: string): string[] {
  const names = read(cert)?.subjectAltName?.split(', ') ?? [];
  return names.map((name) => name.slice(name.indexOf(':') + 1)).filter((name) => name !== '');
}

function read(cert: string): Read | null {
  try {
    return new Read(cert);
  } catch {
    return null;
  }
}

async function extensions(hosts: readonly string[], authority: X509Certificate): Promise<Extension[]> {
  return [
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(
      hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
    ),
    await x509.AuthorityKeyIdentifierExtension.create(authority),
  ];
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Positive, as RFC 5280 asks: the first byte says so. */
function serialNumber(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}
