// Has an agent's identity looked at beside its Schedule, which looks only every ten minutes: when the gateway
// has another certificate, as when its address has changed, and when the token is brought in a form that
// agents of this version do not wait for, as after an upgrade. Until then the agent cannot get in.
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import { FORM, IDENTITY_FORM, IDENTITY_WORK } from '../../crds/hub/agent-identity.ts';
import { ADD_ON } from '../../crds/ocm/add-on.ts';
import { isMember } from '../../crds/ocm/ocm.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { keyOf, keyText, type Key } from '../../kube/resource.ts';
import { scheduleId } from '../../workflows/names.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';

export interface IdentitiesOptions {
  readonly client: Pick<Client, 'schedule'>;
  readonly watched: Pick<BridgeWatched, 'agents' | 'clusters' | 'secrets' | 'works'>;
  /** The Secret with the gateway's certificate; null where there is no gateway. */
  readonly certificate: Key | null;
  readonly onError: (cluster: string, error: unknown) => void;
}

/**
 * Takes synced caches. It looks once at its start, too: the certificate may have changed meanwhile. A look
 * that finds nothing new writes nothing. During an upgrade a hub worker of the former version may look, and
 * keep the former form: it is asked again, after twice as long each time, until the form is the present one.
 */
export function followIdentities({ client, watched, certificate, onError }: IdentitiesOptions): {
  stop(): Promise<void>;
} {
  const asked = new Map<string, number>();
  const queue = keyedQueue({
    concurrency: 4,
    onError,
    work: async (cluster) => {
      if (!hasAgent(watched, cluster)) return void asked.delete(cluster);
      await look(client, cluster);
      if (!isInFormerForm(watched, cluster)) return void asked.delete(cluster);
      const times = asked.get(cluster) ?? 0;
      asked.set(cluster, times + 1);
      queue.add(cluster, Math.min(BRIDGE_TIMES.identityForm.ms * 2 ** times, BRIDGE_TIMES.identity.ms));
    },
  });
  if (certificate === null) return { stop: () => queue.stop() };
  const lookAtAll = (): void => {
    for (const { metadata } of watched.agents.list()) queue.add(metadata.namespace ?? '');
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

function hasAgent({ agents, clusters }: IdentitiesOptions['watched'], cluster: string): boolean {
  const agent = agents.get({ namespace: cluster, name: ADD_ON });
  return agent !== undefined && isMember(clusters.get({ namespace: null, name: cluster }));
}

/** A work that is not there yet has no form: its Schedule makes it. */
function isInFormerForm({ works }: IdentitiesOptions['watched'], cluster: string): boolean {
  const work = works.get({ namespace: cluster, name: IDENTITY_WORK });
  return work !== undefined && work.metadata.annotations?.[IDENTITY_FORM] !== FORM;
}

/** Whoever made the Schedule just now had it look at once. */
async function look(client: Pick<Client, 'schedule'>, cluster: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId('identity', cluster)).trigger('SKIP');
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
