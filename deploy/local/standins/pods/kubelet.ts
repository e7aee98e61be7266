// Stand-in for the kubelet of a site: writes the status that Pods would have. No container runs; the ingress
// stand-in answers for the Pods that are ready. With the real data plane, a host runs the Pods of revisions
// as processes (dataplane/pods).
//
// A Pod waits for the Secrets, ConfigMaps and PersistentVolumeClaims that it names (needs.ts). Its image's
// name can make it fail (container-status.ts). A deleted Pod is gone at once.
import { isDeepStrictEqual } from 'node:util';
import { eventOf, type Reporter } from '../../../../crds/kubernetes/event.ts';
import { CONFIG_MAP, EVENT, POD, SECRET } from '../../../../crds/kubernetes/core.ts';
import { cache, type Cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import {
  keyOf,
  keyText,
  pathOf,
  type Key,
  type KubeObject,
  type Resource,
} from '../../../../kube/resource.ts';
import { CRASHES } from './container-status.ts';
import { podStatus } from './pod-status.ts';
import type { StandInPod, PodStatus, PodWorld } from './pod.ts';
import { newPodLogs, type PodLogs } from '../output/pod-logs.ts';
import { partQueue, type OnPartProblem, type StandIn } from '../stand-in.ts';
import { CLAIM, type VolumeClaim } from '../storage.ts';

interface Keyed extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** What runs Pods. Nothing does on most sites. */
export interface PodHost {
  /**
   * The Pod's status, given what follows from the Pod itself. Begins to run it if it may run; `onChange` is
   * called when this status changes.
   */
  statusOf(pod: StandInPod, status: PodStatus): PodStatus;
  /**
   * Whether nothing runs of a Pod that is being deleted, or is gone (`undefined`). Else begins to end that;
   * `onChange` is called when it is done.
   */
  hasEnded(key: Key, pod: StandInPod | undefined): boolean;
}

export interface KubeletOptions {
  /** Of the Pods that this one cares for; all if not given. */
  readonly labelSelector?: string;
  readonly host?: (onChange: (key: Key) => void) => PodHost;
  /** Gets the first line of each container that begins; without it nobody asks this kubelet for logs. */
  readonly written?: PodLogs;
}

const NOTHING_RUNS: PodHost = { statusOf: (_, status) => status, hasEnded: () => true };

export function kubelet(
  kube: Kube,
  onProblem: OnPartProblem,
  { host: hostOf = () => NOTHING_RUNS, written = newPodLogs(), ...which }: KubeletOptions = {},
): StandIn {
  const watched = { onProblem: (error: unknown) => onProblem('kubelet', error) };
  const pods = cache<StandInPod>(kube, { resource: POD, ...which, ...watched });
  const secrets = keysOf(kube, SECRET, watched);
  const configMaps = keysOf(kube, CONFIG_MAP, watched);
  const claims = cache<VolumeClaim>(kube, { resource: CLAIM, ...watched });
  const all = [pods, secrets, configMaps, claims] as const;
  const synced = all.map((one) => one.synced);
  const world = worldOf(secrets, configMaps, claims);
  const queue = partQueue({ name: 'kubelet', onProblem, after: synced, work: reconcile });
  const host = hostOf((key) => queue.add(keyText(key)));

  pods.subscribe(({ object }) => queue.add(keyText(keyOf(object))));
  const recheckPods = ({ object }: { object: KubeObject }): void => {
    const isForAll = object.metadata.name === CRASHES;
    for (const pod of pods.list(object.metadata.namespace))
      if (isForAll || !isReady(pod)) queue.add(keyText(keyOf(pod)));
  };
  for (const needed of [secrets, configMaps, claims] as const) needed.subscribe(recheckPods);

  async function reconcile(key: Key): Promise<void> {
    const pod = pods.get(key);
    const isLeaving = pod?.metadata.deletionTimestamp !== undefined;
    if ((pod === undefined || isLeaving) && !host.hasEnded(key, pod)) return;
    if (pod === undefined) return written.forget({ namespace: key.namespace ?? '', pod: key.name });
    const { uid } = pod.metadata;
    if (isLeaving) {
      await kube.raw('DELETE', pathOf(POD, key), { body: { gracePeriodSeconds: 0, preconditions: { uid } } });
      return;
    }
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return;
    const { status: implied, again, failedMount } = podStatus(pod, world, Date.now());
    const status = host.statusOf(pod, implied);
    beginLogs(written, key, status);
    if (!hasStatus(pod.status, status))
      await kube.patch(POD, key, { metadata: { uid }, status }, { subresource: 'status' });
    if (again !== null) queue.add(keyText(key), again);
    if (failedMount !== null) await createEvent(kube, pod, failedMount);
  }

  return {
    synced: Promise.all(synced).then(() => undefined),
    stop: async () => {
      await queue.stop();
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

/** Those of the containers that run. */
function beginLogs(written: PodLogs, { namespace, name: pod }: Key, { containerStatuses }: PodStatus): void {
  for (const { name: container, image, restartCount, state } of containerStatuses)
    if (state.running !== undefined)
      written.begin(
        { namespace: namespace ?? '', pod, container },
        restartCount,
        `A stand-in for ${image} begins: each request that it answers is a line here.`,
      );
}

const REPORTER: Reporter = { controller: 'kubelet-stand-in', instance: 'local' };

/** Creates the event that says why a Pod's volume is not mounted, once. */
async function createEvent(kube: Kube, { metadata }: StandInPod, note: string): Promise<void> {
  const { apiVersion, kind } = POD;
  const happening = { type: 'Warning', reason: 'FailedMount', note, occasion: '' } as const;
  const event = eventOf({ apiVersion, kind, metadata }, happening, REPORTER);
  await kube.create(EVENT, event).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** A cache of the keys of Secrets or ConfigMaps, without their values. */
function keysOf(kube: Kube, resource: Resource, watched: { onProblem(error: unknown): void }): Cache<Keyed> {
  const blank = (data: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.keys(data).map((key) => [key, '']));
  return cache<Keyed>(kube, {
    resource,
    transform: ({ metadata, data, binaryData }) => ({
      metadata,
      data: { ...blank(data), ...blank(binaryData) },
    }),
    ...watched,
  });
}

function worldOf(secrets: Cache<Keyed>, configMaps: Cache<Keyed>, claims: Cache<VolumeClaim>): PodWorld {
  const keys = (source: Cache<Keyed>, key: Key): ReadonlySet<string> | null => {
    const object = source.get(key);
    return object === undefined ? null : new Set(Object.keys(object.data ?? {}));
  };
  return {
    secretKeys: (namespace, name) => keys(secrets, { namespace, name }),
    configMapKeys: (namespace, name) => keys(configMaps, { namespace, name }),
    claim: (namespace, name) => {
      const claim = claims.get({ namespace, name });
      if (claim === undefined) return 'missing';
      return claim.status?.phase === 'Bound' ? 'bound' : 'unbound';
    },
  };
}

function isReady(pod: StandInPod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

/** Whether the Pod's status has all these values already. */
function hasStatus(written: Partial<PodStatus> | undefined, wanted: PodStatus): boolean {
  return Object.entries(wanted).every(([field, value]) =>
    isDeepStrictEqual(written?.[field as keyof PodStatus], value),
  );
}
