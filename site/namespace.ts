// Removes a namespace that the hub's work created, once it holds no Capp and nothing else. Other namespaces
// are never removed: the label says that we created it.
import { CAPP } from '../crds/capp/capp.ts';
import { NAMESPACE } from '../crds/kubernetes/core.ts';
import { MANAGED_BY, MANAGED_BY_HUB } from '../crds/labels.ts';
import type { Kube } from '../kube/client.ts';
import { namespacedResources } from '../kube/discovery.ts';
import { isConflict, isForbidden, isNotFound } from '../kube/failure.ts';
import { keyedQueue } from '../kube/queue.ts';
import type { KubeObject, Resource } from '../kube/resource.ts';
import { SITE_TIMES } from './times.ts';
import type { Watched } from './watched.ts';

/** The Secrets of a Capp leave moments after it. Milliseconds before each look; the last one repeats. */
const PAUSES = [1, 1, 2, 4, 8, 15, 30].map((times) =>
  Math.min(times * SITE_TIMES.namespaceFirst.ms, SITE_TIMES.namespaceLongest.ms),
);
/** After this many looks the namespace is looked at only when a Capp leaves it, or at the next start. */
const LOOKS = 20;

export interface Tidying {
  start(): void;
  stop(): Promise<void>;
}

export function tidyNamespaces(
  kube: Kube,
  watched: Watched,
  onError: (key: string, error: unknown, failures: number) => void,
): Tidying {
  const looks = new Map<string, number>();
  const queue = keyedQueue({
    work: async (name) => {
      if (hasCapps(watched, name) || watched.namespaces.get({ namespace: null, name }) === undefined) {
        looks.delete(name);
        return;
      }
      const done = await removeIfEmpty(kube, name);
      const count = (looks.get(name) ?? 0) + 1;
      if (done || count >= LOOKS) looks.delete(name);
      else {
        looks.set(name, count);
        queue.add(name, PAUSES[Math.min(count, PAUSES.length - 1)]);
      }
    },
    concurrency: 2,
    onError,
  });
  return {
    start: () => {
      watched.capps.subscribe(({ type, object }) => {
        const { namespace } = object.metadata;
        if (type !== 'Deleted' || namespace === undefined) return;
        looks.delete(namespace);
        queue.add(namespace, PAUSES[0]);
      });
      for (const { metadata } of watched.namespaces.list()) queue.add(metadata.name, PAUSES[0]);
    },
    stop: () => queue.stop(),
  };
}

function hasCapps(watched: Watched, namespace: string): boolean {
  return watched.capps.list().some((capp) => capp.metadata.namespace === namespace);
}

/** True if there is nothing more to do. Throws what the client throws. */
export async function removeIfEmpty(kube: Kube, name: string): Promise<boolean> {
  const namespace = await kube.getMetadata(NAMESPACE, { namespace: null, name });
  if (namespace === null || namespace.metadata.labels?.[MANAGED_BY] !== MANAGED_BY_HUB) return true;
  const { uid = '', resourceVersion = '', deletionTimestamp } = namespace.metadata;
  if (deletionTimestamp !== undefined) return true;
  if (!(await isEmpty(kube, name))) return false;
  try {
    await kube.remove(NAMESPACE, { namespace: null, name }, { uid, resourceVersion });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/**
 * Capps are counted last: one that arrives while the rest is counted brings its own reason to stay. A kind
 * that we may not list counts as present.
 */
async function isEmpty(kube: Kube, namespace: string): Promise<boolean> {
  const kinds = await namespacedResources(kube);
  const others = kinds.filter((kind) => kind.kind !== CAPP.kind && !isView(kind));
  for (const kind of [...others, CAPP]) {
    if (await holdsAny(kube, kind, namespace)) return false;
  }
  return true;
}

async function holdsAny(kube: Kube, kind: Resource, namespace: string): Promise<boolean> {
  try {
    const { items } = await kube.list<KubeObject>(kind, { namespace, metadataOnly: true });
    return items.some((object) => !comesWithNamespace(kind, object));
  } catch (error) {
    if (isForbidden(error)) return true;
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Kinds derived from others (endpoints from the Service), and Events, which expire. */
function isView({ apiVersion, kind }: Resource): boolean {
  return ['Event', 'Endpoints', 'EndpointSlice'].includes(kind) || apiVersion.startsWith('metrics.k8s.io/');
}

/** What Kubernetes creates in every namespace. */
function comesWithNamespace(kind: Resource, { metadata }: KubeObject): boolean {
  if (kind.kind === 'ConfigMap') return metadata.name === 'kube-root-ca.crt';
  return kind.kind === 'ServiceAccount' && metadata.name === 'default';
}
