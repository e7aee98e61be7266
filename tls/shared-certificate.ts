// The certificate of a process: files that somebody else renews, or a Secret that all replicas share and
// renew.
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { issue, startOf, type Pair } from './certificate.ts';
import { due, hostsFor, prepared, promoted, replaced, type CertificateSet } from './rotation.ts';
import { SECRET, type Secret } from '../crds/kubernetes/core.ts';
import type { Kube } from '../kube/client.ts';
import { isAlreadyExists, isConflict } from '../kube/failure.ts';

export interface Certificate {
  /**
   * The certificate to serve now; call it at intervals. Throws ApiError, or an Error that names what is
   * wrong.
   */
  read(): Promise<Pair>;
}

/** PEM files, read anew each time. */
export function givenCertificate(certFile: string, keyFile: string): Certificate {
  return {
    read: async () => {
      const pair = { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
      try {
        createSecureContext(pair);
      } catch (cause) {
        throw new Error(
          `TLS_CERT_FILE ${certFile} and TLS_KEY_FILE ${keyFile} are not a matching certificate and key (PEM)`,
          { cause },
        );
      }
      return pair;
    },
  };
}

export interface OwnCertificate {
  /** Where the Secret is, and its name. */
  readonly namespace: string;
  readonly secret: string;
  /** The names and addresses at which clients call. */
  readonly hosts: readonly string[];
  /**
   * Has clients trust these authorities (PEM). Called at each read: writes nothing when nothing has changed.
   */
  readonly publish: (authorities: string) => Promise<void>;
  /** How long clients get to trust the next certificate's authority before it is served, in milliseconds. */
  readonly promoteAfterMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const TRIES = 5;

/**
 * Makes the certificate if there is none, prepares the next one when its time comes, and sees to it that
 * clients trust both. Replicas may do so at the same time: whose write comes second takes what
 * the first one wrote.
 */
export function ownCertificate(kube: Kube, options: OwnCertificate): Certificate {
  return {
    read: async () => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const found = await readHolding(kube, options);
        const holding = await advance(found?.holding ?? null, options);
        if (holding !== found?.holding && !(await write(kube, options, holding, found))) continue;
        await options.publish(holding.authorities);
        // Prepared in an earlier turn, and its authority has just been seen to be trusted. It is served from
        // the next turn on.
        if (found !== null && found.holding === holding && isTrusted(holding.next, options)) {
          await write(kube, options, promoted(holding), found);
        }
        return holding.serving;
      }
      throw new Error(
        `Secret ${options.namespace}/${options.secret} keeps changing while it is written: find out who else writes it`,
      );
    },
  };
}

function isTrusted(next: Pair | null, { now, promoteAfterMs }: OwnCertificate): boolean {
  return next !== null && now() - startOf(next.cert) >= promoteAfterMs;
}

async function advance(
  holding: CertificateSet | null,
  { hosts, now }: OwnCertificate,
): Promise<CertificateSet> {
  const at = now();
  const step = due(holding, hosts, at);
  if (holding === null || step === 'replace')
    return replaced(holding, await issue(hostsFor(holding, hosts, at), at));
  return step === 'prepare' ? prepared(holding, await issue(hosts, at)) : holding;
}

interface Found {
  readonly holding: CertificateSet;
  readonly resourceVersion: string;
}

type Place = Pick<OwnCertificate, 'namespace' | 'secret'>;

async function readHolding(kube: Kube, { namespace, secret }: Place): Promise<Found | null> {
  const kept = await kube.get<Secret>(SECRET, { namespace, name: secret });
  if (kept === null) return null;
  const text = (name: string): string => Buffer.from(kept.data?.[name] ?? '', 'base64').toString('utf8');
  const [cert, key, nextCert, nextKey] = [
    text('tls.crt'),
    text('tls.key'),
    text('next.crt'),
    text('next.key'),
  ];
  const next = nextCert === '' || nextKey === '' ? null : { cert: nextCert, key: nextKey };
  const holding = { serving: { cert, key }, next, authorities: text('ca.crt') };
  return { holding, resourceVersion: kept.metadata.resourceVersion ?? '' };
}

/** False when another replica wrote first. */
async function write(
  kube: Kube,
  { namespace, secret }: Place,
  { serving, next, authorities }: CertificateSet,
  found: Found | null,
): Promise<boolean> {
  const texts = {
    'tls.crt': serving.cert,
    'tls.key': serving.key,
    'ca.crt': authorities,
    'next.crt': next?.cert ?? '',
    'next.key': next?.key ?? '',
  };
  const data = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
  const metadata = { namespace, name: secret };
  try {
    if (found === null) await kube.create<Secret>(SECRET, { metadata, type: 'kubernetes.io/tls', data });
    else await kube.patch(SECRET, metadata, { metadata: { resourceVersion: found.resourceVersion }, data });
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}

interface CertificateFiles {
  readonly TLS_CERT_FILE?: string | undefined;
  readonly TLS_KEY_FILE?: string | undefined;
}

/**
 * The files that the settings name, or one of its own. Throws an Error when they name only one of the two.
 */
export function chosenCertificate(
  { TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: CertificateFiles,
  kube: Kube,
  own: OwnCertificate,
): Certificate {
  if (cert !== undefined && key !== undefined) return givenCertificate(cert, key);
  if (cert !== undefined || key !== undefined)
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both, or neither');
  return ownCertificate(kube, own);
}
