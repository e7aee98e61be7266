// Stand-in for the scheduler and the only node of a site: creates a ready Node, and binds every Pod to it.
import { isDeepStrictEqual } from 'node:util';
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

/**
 * A cordon or a taint that a person sets on the Node is kept. `port` is that of its kubelet, on loopback.
 */
export function node(kube: Kube, onProblem: OnPartProblem, port: number): StandIn {
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
    work: () => register(kube, port),
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

/** Creates the Node, removes the taint not-ready, and says where its kubelet is. Safe to repeat. */
async function register(kube: Kube, port: number): Promise<void> {
  await kube.create(NODE, aNode(Date.now())).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const key = { namespace: null, name: NAME };
  const live = await kube.get<LocatedNode>(NODE, key);
  const status = locationOf(port);
  if (!isDeepStrictEqual(live?.status?.daemonEndpoints, status.daemonEndpoints))
    await kube.patch(NODE, key, { status }, { subresource: 'status' });
  const taints = live?.spec?.taints ?? [];
  const others = taints.filter((taint) => taint.key !== NOT_READY);
  if (others.length < taints.length) await kube.patch(NODE, key, { spec: { taints: others } });
}

interface LocatedNode extends Node {
  readonly status?: Node['status'] & { readonly daemonEndpoints?: unknown };
}

/** Where the API server asks for logs. */
function locationOf(port: number) {
  return {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
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
