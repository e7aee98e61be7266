// What each node of a site that takes pods has left. Pure.
import type { Node, Pod } from '../../../crds/kubernetes/core.ts';
import { requestOf } from '../../../crds/kubernetes/pod-requests.ts';
import { MOST_INSPECTED, type NodeRoom } from '../../../workflows/types/inspection.ts';
import { isLive, takesPods } from '../score/room.ts';
import { whole } from './quotas.ts';

/** Those with the most memory left first. */
export function nodeRooms(
  nodes: readonly Node[],
  pods: readonly Pod[],
): { readonly nodes: NodeRoom[]; readonly moreNodes: number } {
  const taken = new Map<string, { cpu: number; memory: number; pods: number }>();
  for (const pod of pods.filter(isLive)) {
    const node = pod.spec?.nodeName ?? '';
    const { cpu, memory } = requestOf(pod);
    const before = taken.get(node) ?? { cpu: 0, memory: 0, pods: 0 };
    taken.set(node, {
      cpu: before.cpu + Math.ceil(cpu * 1_000 - 1e-6),
      memory: before.memory + Math.ceil(memory),
      pods: before.pods + 1,
    });
  }
  const rooms = nodes.filter(takesPods).map(({ metadata, status }) => {
    const { cpu = '0', memory = '0', pods: most = '0' } = status?.allocatable ?? {};
    const used = taken.get(metadata.name) ?? { cpu: 0, memory: 0, pods: 0 };
    return {
      cpu: Math.max(0, whole('cpu', cpu) - used.cpu),
      memory: Math.max(0, whole('memory', memory) - used.memory),
      pods: Math.max(0, whole('pods', most) - used.pods),
    };
  });
  const sorted = rooms.toSorted((a, b) => b.memory - a.memory);
  return {
    nodes: sorted.slice(0, MOST_INSPECTED.nodes),
    moreNodes: Math.max(0, sorted.length - MOST_INSPECTED.nodes),
  };
}
