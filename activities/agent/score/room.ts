// Computes the free capacity of a site from its nodes and pods. It counts requests, as the scheduler does,
// and not use. Pure.
import type { Node, Pod } from '../../../crds/kubernetes/core.ts';
import { requestOf, type Amounts } from '../../../crds/kubernetes/pod-requests.ts';
import { amountOf } from '../../../crds/kubernetes/quantity.ts';

export interface FreeCapacity {
  /** The capacity of all nodes that take new pods. */
  readonly allocatable: Amounts;
  /** The part of it that no pod has requested. */
  readonly available: Amounts;
}

type Resource = keyof Amounts;

/** Taints that keep a new pod away. */
const REPELLING: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/**
 * Counts node by node: a pod on a node that takes no new pods takes nothing from the others, and an
 * overcommitted node does not reduce the others.
 */
export function roomOf(nodes: readonly Node[], pods: readonly Pod[]): FreeCapacity {
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
