// What a site that was asked has for Capps that come one after the other: each takes its part before the next
// is looked at. Pure.
import type {
  ImageSight,
  Inspected,
  InspectQuestion,
  NodeRoom,
  QuotaResource,
  QuotaRoom,
  SiteKind,
} from '../../types/inspection.ts';
import type { PodNeeds } from '../port.ts';

/** What a site has said, and to which question. */
export interface SiteSaid {
  readonly question: InspectQuestion;
  readonly inspected: Inspected;
}

/** A quota that is too small. */
export interface Lacking {
  readonly quota: QuotaRoom;
  readonly wanted: number;
  readonly left: number;
}

export interface SiteRoom {
  /** Takes the room in the namespace's quotas; the quota that does not have it, or null. */
  takeQuota(namespace: string, needs: PodNeeds): Lacking | null;
  /** False: the site has more quotas than it could name. */
  readonly areAllQuotas: boolean;
  /** Takes the room on nodes, a pod on each where it fits; how many pods found none. */
  takeNodes(needs: PodNeeds): number;
  /** Null: it was not asked about. */
  imageOf(image: string): ImageSight | null;
  lacks(kind: SiteKind): boolean;
  /** What the nodes had before anything came. */
  readonly had: NodeRoom;
  /** What all that came asks for. */
  readonly asked: () => Pick<NodeRoom, 'cpu' | 'memory'>;
  /** Nodes that the site did not name: with them there may be room where none was found. */
  readonly moreNodes: number;
}

export function siteRoom(said: readonly SiteSaid[]): SiteRoom {
  const nodes = said.flatMap(({ inspected }) => inspected.nodes.map((one) => ({ ...one })));
  const had = nodes.reduce(
    (sum, { cpu, memory, pods }) => ({
      cpu: sum.cpu + cpu,
      memory: sum.memory + memory,
      pods: sum.pods + pods,
    }),
    { cpu: 0, memory: 0, pods: 0 },
  );
  const asked = { cpu: 0, memory: 0 };
  const images = new Map(
    said.flatMap(({ question, inspected }) =>
      inspected.images.flatMap((sight, index) => {
        const image = question.images[index];
        return image === undefined ? [] : [[image, sight] as const];
      }),
    ),
  );
  const absent = new Set(said.flatMap(({ inspected }) => inspected.absent));
  return {
    had,
    asked: () => asked,
    moreNodes: said.reduce((sum, { inspected }) => sum + inspected.moreNodes, 0),
    takeQuota: quotaTaker(said),
    areAllQuotas: said.every(({ inspected }) => inspected.areAllQuotas),
    takeNodes: (needs) => {
      asked.cpu += needs.cpu * needs.pods;
      asked.memory += needs.memory * needs.pods;
      return homelessOf(nodes, needs);
    },
    imageOf: (image) => images.get(image) ?? null,
    lacks: (kind) => absent.has(kind),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * How many pods find no node. The fullest node that has room takes as many as it can, and then the next, so
 * that large pods find theirs.
 */
function homelessOf(nodes: readonly Mutable<NodeRoom>[], { pods, cpu, memory }: PodNeeds): number {
  let left = pods;
  for (const node of nodes.toSorted((a, b) => a.memory - b.memory)) {
    const taken = Math.min(left, node.pods, timesIn(node.cpu, cpu), timesIn(node.memory, memory));
    node.cpu -= taken * cpu;
    node.memory -= taken * memory;
    node.pods -= taken;
    left -= taken;
  }
  return left;
}

function timesIn(room: number, each: number): number {
  return each === 0 ? Infinity : Math.floor(room / each);
}

function quotaTaker(said: readonly SiteSaid[]): SiteRoom['takeQuota'] {
  const quotas = new Map<string, { readonly quota: QuotaRoom; used: number }>();
  // A namespace may be in several questions: the first answer counts.
  for (const quota of said.flatMap(({ inspected }) => inspected.quotas)) {
    const key = `${quota.namespace}/${quota.name}/${quota.resource}`;
    if (!quotas.has(key)) quotas.set(key, { quota, used: quota.used });
  }
  return (namespace, needs) => {
    const own = [...quotas.values()].filter(({ quota }) => quota.namespace === namespace);
    for (const { quota, used } of own) {
      const wanted = wantedOf(needs, quota.resource);
      const left = Math.max(0, quota.hard - used);
      if (wanted > left) return { quota, wanted, left };
    }
    for (const one of own) one.used += wantedOf(needs, one.quota.resource);
    return null;
  };
}

function wantedOf({ pods, cpu, memory, limitCpu, limitMemory }: PodNeeds, resource: QuotaResource): number {
  switch (resource) {
    case 'pods':
      return pods;
    case 'requests.cpu':
      return pods * cpu;
    case 'requests.memory':
      return pods * memory;
    case 'limits.cpu':
      return pods * limitCpu;
    case 'limits.memory':
      return pods * limitMemory;
  }
}
