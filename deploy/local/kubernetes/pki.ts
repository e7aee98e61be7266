// The certificates of one stack: a CA for servers and clients, a CA for request headers, and the keys of
// ServiceAccounts.
//
// They are created once and kept, so that kubeconfigs and the credentials of klusterlets stay valid after
// restarts.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { webcrypto } from 'node:crypto';
import { x509, type Extension, type JsonGeneralName, type X509Certificate } from '../../../tls/x509.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
/** New certificates stay valid when the clock is set back by less than this. */
const BACKDATE_MS = 3_600_000;

/** Paths of a PEM certificate and its PKCS #8 key. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/**
 * The subject of a certificate. Kubernetes reads organisations as groups. With `hosts` it is a server
 * certificate, and a client certificate as well if `asks` says so; without, a client certificate.
 */
export interface Subject {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly hosts?: readonly string[];
  readonly asks?: boolean;
}

export interface Pki {
  /** The CA of servers and clients; kube-controller-manager signs CertificateSigningRequests with it. */
  readonly authority: Pair;
  /** A CA that signs nothing. API servers refuse to start if it is the same as `authority`. */
  readonly requestHeader: Pair;
  readonly serviceAccounts: { readonly privateKey: string; readonly publicKey: string };
  /** The certificate and key in `<file>.crt` and `<file>.key`. Creates them if they do not exist. */
  issue(file: string, subject: Subject): Promise<Pair>;
}

/** Opens the folder and creates what is missing. Safe to repeat: existing files are not changed. */
export async function openPki(dir: string): Promise<Pki> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const authority = await selfSigned(dir, 'ca', 'cappstan-local');
  return {
    authority,
    requestHeader: await selfSigned(dir, 'request-header-ca', 'cappstan-local-request-header'),
    serviceAccounts: await serviceAccountKeys(dir),
    issue: (file, subject) => issue(authority, join(dir, file), subject),
  };
}

async function selfSigned(dir: string, file: string, name: string): Promise<Pair> {
  const pair = pairAt(join(dir, file));
  if (existsSync(pair.cert)) return pair;
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await writePair(pair, certificate, keys.privateKey);
  return pair;
}

async function issue(authority: Pair, base: string, subject: Subject): Promise<Pair> {
  const pair = pairAt(base);
  if (existsSync(pair.cert)) return pair;
  const issuer = new x509.X509Certificate(await readFile(authority.cert, 'utf8'));
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    subject: new x509.Name([
      { CN: [subject.name] },
      ...(subject.groups ?? []).map((group) => ({ O: [group] })),
    ]).toString(),
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [...usage(subject), await x509.AuthorityKeyIdentifierExtension.create(issuer)],
  });
  await writePair(pair, certificate, keys.privateKey);
  return pair;
}

function usage({ hosts, asks = hosts === undefined }: Subject): Extension[] {
  const keyUsage = new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true);
  const client = asks ? [x509.ExtendedKeyUsage.clientAuth] : [];
  if (hosts === undefined) return [keyUsage, new x509.ExtendedKeyUsageExtension(client)];
  const names = hosts.map((host): JsonGeneralName => ({
    type: /^[\d.]+$/.test(host) ? 'ip' : 'dns',
    value: host,
  }));
  return [
    keyUsage,
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, ...client]),
    new x509.SubjectAlternativeNameExtension(names),
  ];
}

async function serviceAccountKeys(dir: string): Promise<Pki['serviceAccounts']> {
  const keys = {
    privateKey: join(dir, 'service-accounts.key'),
    publicKey: join(dir, 'service-accounts.pub'),
  };
  if (existsSync(keys.privateKey)) return keys;
  const pair = await newKeys();
  await writeOnce(keys.publicKey, await pem('spki', pair.publicKey));
  await writeOnce(keys.privateKey, await pem('pkcs8', pair.privateKey));
  return keys;
}

function pairAt(base: string): Pair {
  return { cert: `${base}.crt`, key: `${base}.key` };
}

function validity(): { notBefore: Date; notAfter: Date; serialNumber: string } {
  const serialNumber = `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
  return {
    notBefore: new Date(Date.now() - BACKDATE_MS),
    notAfter: new Date(Date.now() + TEN_YEARS_MS),
    serialNumber,
  };
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function readKey(file: string): Promise<webcrypto.CryptoKey> {
  const der = x509.PemConverter.decodeFirst(await readFile(file, 'utf8'));
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign']);
}

async function pem(format: 'pkcs8' | 'spki', key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey(format, key);
  return `${x509.PemConverter.encode(der, format === 'pkcs8' ? 'PRIVATE KEY' : 'PUBLIC KEY')}\n`;
}

/** The certificate is written last, so that a certificate always has its key. */
async function writePair(pair: Pair, certificate: X509Certificate, key: webcrypto.CryptoKey): Promise<void> {
  await writeOnce(pair.key, await pem('pkcs8', key));
  await writeOnce(pair.cert, `${certificate.toString('pem')}\n`);
}

async function writeOnce(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text);
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
