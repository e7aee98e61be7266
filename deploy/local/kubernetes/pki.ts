// The certificates of a hub or a stack: a CA for servers and clients, a CA for request headers, and the keys
// of ServiceAccounts.
//
// Authorities and keys are created once and kept, so that kubeconfigs and the credentials of klusterlets stay
// valid after restarts. Certificates are written again when they are due.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPrivateKey, createPublicKey, webcrypto, type KeyObject } from 'node:crypto';
import { x509, type Extension, type JsonGeneralName, type X509Certificate } from '../../../tls/x509.ts';
import { isGood, openSigner, type Signer } from './signer.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
/** New certificates stay valid when the clock is set back by less than this. */
const BACKDATE_MS = 3_600_000;

/** Paths of a PEM certificate and its PKCS #8 key. */
export interface PairFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * The subject of a certificate. Kubernetes reads organisations as groups. With `hosts` it is a server
 * certificate, and a client certificate as well if `asks` says so; without, a client certificate.
 */
export interface CertificateSubject {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly hosts?: readonly string[];
  readonly asks?: boolean;
}

/** Whose certificates somebody trusts. */
export interface Issuer {
  readonly authority: PairFiles;
  /**
   * The certificate and key in `<file>.crt` and `<file>.key`. Creates them if they do not exist. Writes the
   * certificate again, for the same key, when less than a third of its life is left, or it is not of this
   * authority and for these hosts: one file changes at once, and who reads both never sees a pair that does
   * not match.
   */
  issue(file: string, subject: CertificateSubject): Promise<PairFiles>;
}

export interface Pki extends Issuer {
  /** The CA of servers and clients; kube-controller-manager signs CertificateSigningRequests with it. */
  readonly authority: PairFiles;
  /**
   * Signs what an API server shows to aggregated ones when it speaks for a user. API servers refuse to start
   * if its CA is the same as `authority`.
   */
  readonly requestHeader: Issuer;
  readonly serviceAccounts: { readonly privateKey: string; readonly publicKey: string };
  /** A further CA of the folder, in `<file>.crt`; who trusts the first one does not trust it. */
  another(file: string): Promise<Issuer>;
}

export interface PkiOptions {
  /** In the names of the CAs. */
  readonly name?: string;
  /** Paths of somebody else's CA. It is read and never changed. */
  readonly authority?: PairFiles | null;
  /** For how long a certificate is valid; the CAs are for ten years. */
  readonly lifetimeMs?: number;
}

/**
 * Opens the folder and creates what is missing. Safe to repeat: CAs and keys that exist are not changed.
 * Throws when a given CA cannot sign.
 */
export async function openPki(dir: string, options: PkiOptions = {}): Promise<Pki> {
  const { name = 'cappstan-local', authority: given = null, lifetimeMs = TEN_YEARS_MS } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const pairOf: PairOf = (file) => pairAt(join(dir, file));
  const issuer = async (authority: PairFiles): Promise<Issuer> => issuerOf(authority, { pairOf, lifetimeMs });
  return {
    ...(await issuer(given ?? (await selfSigned(pairOf('ca'), name)))),
    requestHeader: await issuer(await selfSigned(pairOf('request-header-ca'), `${name}-request-header`)),
    serviceAccounts: await serviceAccountKeys(dir),
    another: async (file) => issuer(await selfSigned(pairOf(file), `${name}-${file}`)),
  };
}

/**
 * A CA alone, in `ca.pem` and `ca-key.pem`, and what it issues beside it, as cfssl has them. Safe to repeat.
 */
export async function openPemIssuer(
  dir: string,
  { name, lifetimeMs }: { readonly name: string; readonly lifetimeMs: number },
): Promise<Issuer> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const pairOf: PairOf = (file) => ({ cert: join(dir, `${file}.pem`), key: join(dir, `${file}-key.pem`) });
  return issuerOf(await selfSigned(pairOf('ca'), name), { pairOf, lifetimeMs });
}

/** Where a pair is, by the name of its file. */
type PairOf = (file: string) => PairFiles;

async function issuerOf(
  authority: PairFiles,
  { pairOf, lifetimeMs }: { readonly pairOf: PairOf; readonly lifetimeMs: number },
): Promise<Issuer> {
  const signer = await openSigner(authority);
  return {
    authority,
    issue: (file, subject) => issue({ signer, lifetimeMs }, pairOf(file), subject),
  };
}

async function selfSigned(pair: PairFiles, name: string): Promise<PairFiles> {
  if (existsSync(pair.cert)) return pair;
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(TEN_YEARS_MS),
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
  await writePair(pair, [certificate], keys.privateKey);
  return pair;
}

interface Issuing {
  readonly signer: Signer;
  readonly lifetimeMs: number;
}

async function issue(
  { signer, lifetimeMs }: Issuing,
  pair: PairFiles,
  subject: CertificateSubject,
): Promise<PairFiles> {
  if (await isGood(pair, signer, subject.hosts ?? [])) return pair;
  const { certificate: issuer, key, algorithm } = signer;
  const keys = await keysOf(pair);
  const limits = validity(lifetimeMs);
  const certificate = await x509.X509CertificateGenerator.create({
    ...limits,
    notAfter: limits.notAfter < issuer.notAfter ? limits.notAfter : issuer.notAfter,
    subject: new x509.Name([
      { CN: [subject.name] },
      ...(subject.groups ?? []).map((group) => ({ O: [group] })),
    ]).toString(),
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions: [...usage(subject), await x509.AuthorityKeyIdentifierExtension.create(issuer)],
  });
  await writePair(pair, [certificate, ...signer.chain], keys.privateKey);
  return pair;
}

function usage({ hosts, asks = hosts === undefined }: CertificateSubject): Extension[] {
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

function pairAt(base: string): PairFiles {
  return { cert: `${base}.crt`, key: `${base}.key` };
}

function validity(lifetimeMs: number): { notBefore: Date; notAfter: Date; serialNumber: string } {
  const serialNumber = `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
  return {
    notBefore: new Date(Date.now() - BACKDATE_MS),
    notAfter: new Date(Date.now() + lifetimeMs),
    serialNumber,
  };
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Those of the pair's key, or new ones without it. */
async function keysOf({ key }: PairFiles): Promise<webcrypto.CryptoKeyPair> {
  if (!existsSync(key)) return newKeys();
  const privateKey = createPrivateKey(await readFile(key));
  const imported = async (
    format: 'pkcs8' | 'spki',
    from: KeyObject,
    may: webcrypto.KeyUsage,
  ): Promise<webcrypto.CryptoKey> =>
    webcrypto.subtle.importKey(
      format,
      from.export({ type: format as 'spki', format: 'der' }),
      ALGORITHM,
      true,
      [may],
    );
  return {
    privateKey: await imported('pkcs8', privateKey, 'sign'),
    publicKey: await imported('spki', createPublicKey(privateKey), 'verify'),
  };
}

async function pem(format: 'pkcs8' | 'spki', key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey(format, key);
  return `${x509.PemConverter.encode(der, format === 'pkcs8' ? 'PRIVATE KEY' : 'PUBLIC KEY')}\n`;
}

/** The certificate is written last, so that a certificate always has its key. */
async function writePair(
  pair: PairFiles,
  chain: readonly X509Certificate[],
  key: webcrypto.CryptoKey,
): Promise<void> {
  if (!existsSync(pair.key)) await writeOnce(pair.key, await pem('pkcs8', key));
  await writeOnce(pair.cert, chain.map((one) => `${one.toString('pem')}\n`).join(''));
}

async function writeOnce(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text);
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
