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
import type { Needs } from '../port.ts';

/** What a site has said, and to which question. */
export interface Said {
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
  takeQuota(namespace: string, needs: Needs): Lacking | null;
  /** False: the site has more quotas than it could name. */
  readonly areAllQuotas: boolean;
  /** Takes the room on nodes, a pod on each where it fits; how many pods found none. */
  takeNodes(needs: Needs): number;
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

export function siteRoom(said: readonly Said[]): SiteRoom {
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
 * No more than this are put on nodes, one by one: a spec may ask for a million, and a site may say that it
 * has room.
 */
const MOST_PLACED = 2_000;

/** How many pods find no node. None finds one after the first that does not. */
function homelessOf(nodes: Mutable<NodeRoom>[], needs: Needs): number {
  let placed = 0;
  while (placed < Math.min(needs.pods, MOST_PLACED) && takeNode(nodes, needs)) placed += 1;
  return placed === MOST_PLACED ? 0 : needs.pods - placed;
}

/** The fullest node that still has room, so that large pods find theirs. */
function takeNode(nodes: Mutable<NodeRoom>[], { cpu, memory }: Needs): boolean {
  const fitting = nodes.filter((node) => node.pods > 0 && node.cpu >= cpu && node.memory >= memory);
  const [first] = fitting;
  if (first === undefined) return false;
  const node = fitting.reduce((best, one) => (one.memory < best.memory ? one : best), first);
  node.cpu -= cpu;
  node.memory -= memory;
  node.pods -= 1;
  return true;
}

function quotaTaker(said: readonly Said[]): SiteRoom['takeQuota'] {
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

function wantedOf({ pods, cpu, memory, limitCpu, limitMemory }: Needs, resource: QuotaResource): number {
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
