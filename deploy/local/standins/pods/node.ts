// Stand-in for the scheduler and the only node of a site: creates a ready Node, and binds every Pod to it.
import { NODE, POD, type Node } from '../../../../crds/kubernetes/core.ts';
import { cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import { keyedQueue } from '../../../../kube/queue.ts';
import { keyOf, keyText, pathOf, type Key } from '../../../../kube/resource.ts';
import { stamp } from './container-status.ts';
import { partQueue, type OnPartProblem, type StandIn } from '../stand-in.ts';

const NAME = 'stand-in';
const GIVES = { cpu: '8', memory: '32Gi', pods: '110' } as const;
/** The API server adds this taint to every new Node; a kubelet removes it. */
const NOT_READY = 'node.kubernetes.io/not-ready';

/** A cordon or a taint that a person sets on the Node is kept. */
export function node(kube: Kube, onProblem: OnPartProblem): StandIn {
  const watched = { onProblem: (error: unknown) => onProblem('node', error) };
  const unbound = cache(kube, {
    resource: POD,
    fieldSelector: 'spec.nodeName=',
    metadataOnly: true,
    ...watched,
  });
  const pods = partQueue({
    name: 'node',
    onProblem,
    after: [unbound.synced],
    work: (key) => bind(kube, key),
  });
  unbound.subscribe(({ type, object }) => {
    if (type !== 'Deleted') pods.add(keyText(keyOf(object)));
  });
  const registration = keyedQueue({
    work: () => register(kube),
    onError: (_, error) => onProblem('node', error),
  });
  registration.add(NAME);
  return {
    synced: unbound.synced,
    stop: async () => {
      await Promise.all([pods.stop(), registration.stop()]);
      await unbound.stop();
    },
  };
}

/** Creates the Node and removes the taint not-ready. Safe to repeat. */
async function register(kube: Kube): Promise<void> {
  await kube.create(NODE, aNode(Date.now())).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const key = { namespace: null, name: NAME };
  const taints = (await kube.get<Node>(NODE, key))?.spec?.taints ?? [];
  const others = taints.filter((taint) => taint.key !== NOT_READY);
  if (others.length < taints.length) await kube.patch(NODE, key, { spec: { taints: others } });
}

export function aNode(now: number): Node & { readonly apiVersion: string; readonly kind: string } {
  const time = stamp(now);
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'StandIn',
    message: 'nothing runs here',
    lastTransitionTime: time,
  } as const;
  return {
    apiVersion: NODE.apiVersion,
    kind: NODE.kind,
    metadata: { name: NAME, labels: { 'kubernetes.io/hostname': NAME } },
    status: { capacity: GIVES, allocatable: GIVES, conditions: [ready] },
  };
}

async function bind(kube: Kube, key: Key): Promise<void> {
  const target = { apiVersion: NODE.apiVersion, kind: NODE.kind, name: NAME };
  await kube.raw('POST', pathOf(POD, key, 'binding'), {
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: key.name, namespace: key.namespace },
      target,
    },
  });
}
