// The webhook put together: caches, certificate and server. It is ready when it returns.
import { isDeepStrictEqual } from 'node:util';
import { claims } from '../../admission/claims.ts';
import { allSynced, stopAll } from '../../kube/watch/cache.ts';
import type { Kube } from '../../kube/client.ts';
import { reply } from './answer.ts';
import type { Certificate } from '../../tls/shared-certificate.ts';
import { admissionCaches, knownFrom, type OnProblem, type Place } from './known.ts';
import { serveAdmission } from './server.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';

export interface AdmissionOptions {
  /** host:port. */
  readonly address: string;
  readonly certificate: Certificate;
  readonly place: Place;
  /** Hears of watches that had to be begun again. */
  readonly onProblem: OnProblem;
  /** Hears of questions that could not be answered, by path. */
  readonly onError: (path: string, error: unknown) => void;
  /** How long a refusal waits for what the caches may not show yet, in milliseconds; 1,000 if not given. */
  readonly patienceMs?: number;
}

export interface Admission {
  readonly port: number;
  /** Takes the certificate that is to be served now. Throws what reading it throws; the old one stays then. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export async function startAdmission(kube: Kube, options: AdmissionOptions): Promise<Admission> {
  const { address, certificate, place, onProblem, onError, patienceMs = WEBHOOK_TIMES.cacheLag.ms } = options;
  const caches = admissionCaches(kube, onProblem);
  const claimed = claims();
  caches.capps.subscribe(({ object: { metadata } }) => claimed.settle(metadata.namespace ?? '', metadata.name));
  let pair = await certificate.read();
  await allSynced(caches);
  const answering = { known: () => knownFrom(caches, place, claimed), claims: claimed, patienceMs };
  const server = await serveAdmission({ address, pair, reply: (path, text) => reply(path, text, answering), onError });
  return {
    port: server.port,
    renew: async () => {
      const next = await certificate.read();
      if (isDeepStrictEqual(next, pair)) return;
      server.renew(next);
      pair = next;
    },
    close: async () => {
      await server.close();
      await stopAll(caches);
    },
  };
}
