// A fake of container-app-operator v0.3.6 and of Knative beside it: only what an agent can see of them, as
// their sources have it.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import {
  KNATIVE_SERVICE,
  type KnativeService,
  type KnativeServiceStatus,
} from '../../../../crds/kubernetes/knative.ts';
import { cache, type Cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyedQueue, type KeyedQueue } from '../../../../kube/queue.ts';

const GROUP = 'rcs.dana.io';

export interface FakeOperator {
  /** Until it works again, nothing is looked at. Resolves when nothing is under way. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Reconciles as v0.3.6 does: makes or changes the Service's spec, then copies its status to the Capp. */
export function fakeOperator(kube: Kube): FakeOperator {
  const capps: Cache<Capp> = cache<Capp>(kube, { resource: CAPP });
  const services: Cache<KnativeService> = cache<KnativeService>(kube, { resource: KNATIVE_SERVICE });
  let isPaused = false;
  const queue: KeyedQueue = keyedQueue({
    work: async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      if (!isPaused) await reconcile(kube, { namespace, name });
    },
  });
  const enqueue = ({ object: { metadata } }: { object: { metadata: Capp['metadata'] } }): void =>
    queue.add(`${metadata.namespace ?? ''}/${metadata.name}`);
  const ends = [capps.subscribe(enqueue), services.subscribe(enqueue)];
  return {
    pause: () => {
      isPaused = true;
      return queue.idle();
    },
    resume: () => {
      isPaused = false;
      for (const object of capps.list()) enqueue({ object });
    },
    stop: async () => {
      for (const end of ends) end();
      await Promise.all([queue.stop(), capps.stop(), services.stop()]);
    },
  };
}

/** What Knative says of a Service's newest generation, in place of its controllers. */
export async function knativeSays(
  kube: Kube,
  key: { namespace: string; name: string },
  status: KnativeServiceStatus,
): Promise<void> {
  const service = await kube.get<KnativeService>(KNATIVE_SERVICE, key);
  const { generation = 0 } = service?.metadata ?? {};
  await kube.patch(
    KNATIVE_SERVICE,
    key,
    { status: { observedGeneration: generation, ...status } },
    { subresource: 'status' },
  );
}

async function reconcile(kube: Kube, key: { namespace: string; name: string }): Promise<void> {
  const capp = await kube.get<Capp>(CAPP, key);
  if (capp === null) return;
  const isEnabled = capp.spec.state === 'enabled';
  if (isEnabled) await ensure(kube, key, capp);
  else await kube.remove(KNATIVE_SERVICE, key);
  const service = isEnabled ? await kube.get<KnativeService>(KNATIVE_SERVICE, key) : null;
  const stateStatus = {
    state: capp.spec.state,
    lastChange: capp.status?.stateStatus?.lastChange ?? new Date().toISOString(),
  };
  const knativeObjectStatus = service?.status ?? null;
  await kube.patch(CAPP, key, { status: { stateStatus, knativeObjectStatus } }, { subresource: 'status' });
}

async function ensure(kube: Kube, key: { namespace: string; name: string }, capp: Capp): Promise<void> {
  // FilterKeysWithoutPrefix keeps, whatever its name says, the keys that have the prefix.
  const annotations = Object.fromEntries(
    Object.entries(capp.metadata.annotations ?? {}).filter(([name]) => name.startsWith(GROUP)),
  );
  const labels = { ...capp.metadata.labels, [`${GROUP}/parent-capp`]: capp.metadata.name };
  const template = { metadata: { labels, annotations }, spec: capp.spec.configurationSpec.template.spec };
  const live = await kube.get<KnativeService>(KNATIVE_SERVICE, key);
  if (live !== null) {
    // Only the spec is ever changed.
    await kube.patch(KNATIVE_SERVICE, key, { spec: { template } });
    return;
  }
  const { apiVersion, kind } = KNATIVE_SERVICE;
  await kube.create<KnativeService>(KNATIVE_SERVICE, {
    apiVersion,
    kind,
    metadata: { ...key, annotations },
    spec: { template },
  });
}
