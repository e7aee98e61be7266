// The webhook's parts together: caches, certificate and server. It is ready when this returns.
import { isDeepStrictEqual } from 'node:util';
import { nothingPending } from '../../admission/pending.ts';
import type { AdmissionRequest } from '../../admission/request.ts';
import { allSynced, stopAll, type OnProblem } from '../../kube/watch/cache.ts';
import type { Kube } from '../../kube/client.ts';
import { reply } from './answer.ts';
import type { Clients } from './door/clients.ts';
import type { Certificate } from '../../tls/shared-certificate.ts';
import { earlierFor } from './earlier.ts';
import type { WebhookPlace } from './known.ts';
import { planner } from './plan.ts';
import { serveAdmission } from './door/server.ts';
import { sideOf, type SIDES } from './sides.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';

export interface AdmissionOptions {
  /** Where it runs; a hub if not given. */
  readonly side?: (typeof SIDES)[number];
  /** host:port. */
  readonly address: string;
  readonly certificate: Certificate;
  /** Whom alone it answers, read as often as the certificate; everybody if not given. */
  readonly clients?: (() => Promise<Clients>) | undefined;
  readonly place: WebhookPlace;
  /** Called when a watch is interrupted. */
  readonly onProblem: OnProblem;
  /** Called when a request could not be answered, with its path. */
  readonly onError: (path: string, error: unknown) => void;
  /** Called for each request that was answered, with its path and the seconds that it took. */
  readonly onAnswered?: (path: string, result: 'allowed' | 'refused' | 'failed', seconds: number) => void;
  /** Called with the caches when they have begun to fill. */
  readonly onCaches?: (caches: object) => void;
  /** How long a refusal waits for what the caches may not show yet, in milliseconds; 1,000 if not given. */
  readonly cacheLagMs?: number;
}

export interface Admission {
  readonly port: number;
  /**
   * Reads the certificate and who is answered, and serves that from now on. Throws what reading throws, and
   * then keeps the old ones.
   */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export async function startAdmission(kube: Kube, options: AdmissionOptions): Promise<Admission> {
  const {
    side: which = 'hub',
    address,
    certificate,
    clients,
    place,
    onProblem,
    onError,
    onAnswered,
    onCaches,
    cacheLagMs = WEBHOOK_TIMES.cacheLag.ms,
  } = options;
  const pending = nothingPending();
  const side = sideOf(which, kube, { place, pending, onProblem });
  const { caches } = side;
  onCaches?.(caches);
  const read = async () => ({ ...(await certificate.read()), clients: await clients?.() });
  let serving = await read();
  await allSynced(caches);
  const answering = {
    judge: side.judge,
    hostnameKey: side.hostnameKey,
    earlier: (path: string, request: AdmissionRequest) => earlierFor(kube, path, request),
    ...(which === 'hub' ? { plan: planner(kube, place.configKey) } : {}),
    pending,
    cacheLagMs,
  };
  const server = await serveAdmission({
    address,
    serving,
    reply: (path, text) => reply(path, text, answering),
    onError,
    onAnswered,
  });
  return {
    port: server.port,
    renew: async () => {
      const next = await read();
      if (isDeepStrictEqual(next, serving)) return;
      server.renew(next);
      serving = next;
    },
    close: async () => {
      await server.close();
      await stopAll(caches);
    },
  };
}
