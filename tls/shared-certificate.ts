// The webhook's certificate: files that somebody else renews, or a Secret that all replicas share and renew.
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { issue, type Pair } from './certificate.ts';
import { due, hostsFor, prepared, promoted, replaced, type CertificateSet } from './rotation.ts';
import { SECRET, type Secret } from '../crds/kubernetes/core.ts';
import type { Kube } from '../kube/client.ts';
import { isAlreadyExists, isConflict } from '../kube/failure.ts';
import { publishAuthorities } from './webhook-authorities.ts';

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
  /** Where the Secret is. */
  readonly namespace: string;
  /** The names and addresses at which the API server calls. */
  readonly hosts: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const CERTIFICATE_SECRET = 'cappstan-webhook-certificate';
const TRIES = 5;

/**
 * Makes the certificate if there is none, prepares the next one when its time comes, and sees to it that the
 * webhook configurations trust both. Replicas may do so at the same time: whose write comes second takes what
 * the first one wrote.
 */
export function ownCertificate(kube: Kube, options: OwnCertificate): Certificate {
  return {
    read: async () => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const found = await readHolding(kube, options.namespace);
        const holding = await advance(found?.holding ?? null, options);
        if (holding !== found?.holding && !(await write(kube, options.namespace, holding, found))) continue;
        await publishAuthorities(kube, holding.authorities);
        // Prepared in an earlier turn, and its authority has just been seen to be trusted. It is served from
        // the next turn on.
        if (found !== null && found.holding === holding && holding.next !== null) {
          await write(kube, options.namespace, promoted(holding), found);
        }
        return holding.serving;
      }
      throw new Error(
        `Secret ${options.namespace}/${CERTIFICATE_SECRET} keeps changing while the webhook writes it: find out who else writes it`,
      );
    },
  };
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

async function readHolding(kube: Kube, namespace: string): Promise<Found | null> {
  const secret = await kube.get<Secret>(SECRET, { namespace, name: CERTIFICATE_SECRET });
  if (secret === null) return null;
  const text = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString('utf8');
  const [cert, key, nextCert, nextKey] = [
    text('tls.crt'),
    text('tls.key'),
    text('next.crt'),
    text('next.key'),
  ];
  const next = nextCert === '' || nextKey === '' ? null : { cert: nextCert, key: nextKey };
  const holding = { serving: { cert, key }, next, authorities: text('ca.crt') };
  return { holding, resourceVersion: secret.metadata.resourceVersion ?? '' };
}

/** False when another replica wrote first. */
async function write(
  kube: Kube,
  namespace: string,
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
  const metadata = { namespace, name: CERTIFICATE_SECRET };
  try {
    if (found === null) await kube.create<Secret>(SECRET, { metadata, type: 'kubernetes.io/tls', data });
    else await kube.patch(SECRET, metadata, { metadata: { resourceVersion: found.resourceVersion }, data });
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}
