// Has every agent's identity looked at as soon as the gateway has another certificate, as when its address
// has changed: an agent gets in again when it trusts the new one, and its Schedule would look only minutes
// later.
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import { isMember } from '../../crds/ocm/ocm.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { keyOf, keyText, type Key } from '../../kube/resource.ts';
import { scheduleId } from '../../workflows/names.ts';
import type { Watched } from '../changes/watched.ts';

export interface IdentitiesOptions {
  readonly client: Pick<Client, 'schedule'>;
  readonly watched: Pick<Watched, 'agents' | 'clusters' | 'secrets'>;
  /** The Secret with the gateway's certificate; null where there is no gateway. */
  readonly certificate: Key | null;
  readonly onError: (cluster: string, error: unknown) => void;
}

/**
 * Takes synced caches. It looks once at its start, too: the certificate may have changed meanwhile. A look
 * that finds nothing new writes nothing.
 */
export function followCertificate({ client, watched, certificate, onError }: IdentitiesOptions): {
  stop(): Promise<void>;
} {
  const queue = keyedQueue({ concurrency: 4, onError, work: (cluster) => look(client, cluster) });
  if (certificate === null) return { stop: () => queue.stop() };
  const lookAtAll = (): void => {
    for (const { metadata } of watched.agents.list()) {
      const name = metadata.namespace ?? '';
      if (isMember(watched.clusters.get({ namespace: null, name }))) queue.add(name);
    }
  };
  const end = watched.secrets.subscribe(({ type, object, previous }) => {
    const isIt = keyText(keyOf(object)) === keyText(certificate);
    const isOther = object.metadata.resourceVersion !== previous?.metadata.resourceVersion;
    if (isIt && isOther && type !== 'Deleted') lookAtAll();
  });
  if (watched.secrets.get(certificate) !== undefined) lookAtAll();
  return {
    stop: () => {
      end();
      return queue.stop();
    },
  };
}

/** Whoever made the Schedule just now had it look at once. */
async function look(client: Pick<Client, 'schedule'>, cluster: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId('identity', cluster)).trigger('SKIP');
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
