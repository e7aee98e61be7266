// Computes the free capacity of a site from its nodes and pods. It counts requests, as the scheduler does,
// and not use. Pure.
import type { Node, Pod, PodContainer } from '../../../crds/kubernetes/core.ts';
import { amountOf } from '../../../crds/kubernetes/quantity.ts';

/** Cores and bytes. */
export interface Amounts {
  readonly cpu: number;
  readonly memory: number;
}

export interface Room {
  /** The capacity of all nodes that take new pods. */
  readonly allocatable: Amounts;
  /** The part of it that no pod has requested. */
  readonly available: Amounts;
}

const RESOURCES = ['cpu', 'memory'] as const;
type Resource = (typeof RESOURCES)[number];

/** Taints that keep a new pod away. */
const REPELLING: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/**
 * Counts node by node: a pod on a node that takes no new pods takes nothing from the others, and an
 * overcommitted node does not reduce the others.
 */
export function roomOf(nodes: readonly Node[], pods: readonly Pod[]): Room {
  const requested = requestedByNode(pods);
  const usable = nodes.filter(takesPods);
  const sum = (of: (node: Node, resource: Resource) => number): Amounts => ({
    cpu: usable.reduce((total, node) => total + of(node, 'cpu'), 0),
    memory: usable.reduce((total, node) => total + of(node, 'memory'), 0),
  });
  return {
    allocatable: sum(allocatableOf),
    available: sum((node, resource) =>
      Math.max(0, allocatableOf(node, resource) - (requested.get(node.metadata.name)?.[resource] ?? 0)),
    ),
  };
}

/** Ready, not cordoned, and without a taint that a plain pod does not tolerate. */
export function takesPods({ spec, status }: Node): boolean {
  const isReady =
    status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ===
    true;
  return (
    isReady &&
    spec?.unschedulable !== true &&
    spec?.taints?.some(({ effect }) => REPELLING.has(effect)) !== true
  );
}

/** Has a node and has not finished. */
export function isLive({ spec, status }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '' && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/**
 * A pod's requests as Kubernetes' scheduler counts them (component-helpers: resource/helpers.go,
 * PodRequests): those of its containers and sidecars together, or the largest of its start if that is more,
 * or those of the pod as a whole; plus its overhead.
 */
export function requestOf(pod: Pod): Amounts {
  return { cpu: requestFor(pod, 'cpu'), memory: requestFor(pod, 'memory') };
}

function requestFor({ spec = {} }: Pod, resource: Resource): number {
  const { containers = [], initContainers = [], resources, overhead } = spec;
  const whole = resources?.requests?.[resource];
  return (
    (whole === undefined ? together(containers, initContainers, resource) : amountOf(whole)) +
    amountOf(overhead?.[resource] ?? 0)
  );
}

function together(
  containers: readonly PodContainer[],
  initContainers: readonly PodContainer[],
  resource: Resource,
): number {
  let sidecars = 0;
  let greediest = 0;
  for (const container of initContainers) {
    const asked = askedBy(container, resource);
    if (container.restartPolicy === 'Always') sidecars += asked;
    greediest = Math.max(greediest, container.restartPolicy === 'Always' ? sidecars : sidecars + asked);
  }
  const running = containers.reduce((total, container) => total + askedBy(container, resource), sidecars);
  return Math.max(running, greediest);
}

function askedBy({ resources }: PodContainer, resource: Resource): number {
  return amountOf(resources?.requests?.[resource] ?? 0);
}

function allocatableOf({ status }: Node, resource: Resource): number {
  return amountOf(status?.allocatable?.[resource] ?? 0);
}

function requestedByNode(pods: readonly Pod[]): Map<string, Amounts> {
  const requested = new Map<string, Amounts>();
  for (const pod of pods.filter(isLive)) {
    const node = pod.spec?.nodeName ?? '';
    const { cpu, memory } = requestOf(pod);
    const before = requested.get(node) ?? { cpu: 0, memory: 0 };
    requested.set(node, { cpu: before.cpu + cpu, memory: before.memory + memory });
  }
  return requested;
}
