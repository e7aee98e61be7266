// Removes a namespace that the hub's work created, once it holds no Capp and nothing else. Other namespaces
// are never removed: the label says that we created it.
import { NAMESPACE } from '../../crds/kubernetes/core.ts';
import { MANAGED_BY, MANAGED_BY_HUB } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { isConflict } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { countedNamespaces, isEmpty, stopCounting } from './emptiness.ts';
import { SITE_TIMES } from '../times.ts';
import type { Watched } from '../watched.ts';

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
  const end = async (name: string): Promise<void> => {
    if (looks.has(name)) await stopCounting(kube, name);
    looks.delete(name);
  };
  const queue = keyedQueue({
    work: async (name) => {
      const seen = watched.namespaces.get({ namespace: null, name });
      if (seen === undefined || !isMadeByUs(seen)) looks.delete(name);
      else if (hasCapps(watched, name)) await end(name);
      else {
        const count = (looks.get(name) ?? 0) + 1;
        looks.set(name, count);
        if (await removeIfEmpty(kube, name)) looks.delete(name);
        else if (count >= LOOKS) await end(name);
        else queue.add(name, PAUSES[Math.min(count, PAUSES.length - 1)]);
      }
    },
    concurrency: 2,
    onError,
  });
  return {
    start: () => {
      watched.capps.subscribe(({ type, object }) => {
        const { namespace } = object.metadata;
        if (namespace === undefined) return;
        if (type === 'Deleted' && looks.has(namespace)) looks.set(namespace, 0);
        if (type === 'Deleted' || looks.has(namespace)) queue.add(namespace, PAUSES[0]);
      });
      const all = watched.namespaces
        .list()
        .filter(isMadeByUs)
        .map(({ metadata }) => metadata.name);
      const counted = countedNamespaces(kube).then(
        (names) => names.forEach((name) => looks.set(name, looks.get(name) ?? 0)),
        (error: unknown) => onError('', error, 1),
      );
      void counted.then(() => all.forEach((name) => queue.add(name, PAUSES[0])));
    },
    stop: () => queue.stop(),
  };
}

function isMadeByUs({ metadata }: KubeObject): boolean {
  return metadata.labels?.[MANAGED_BY] === MANAGED_BY_HUB;
}

function hasCapps(watched: Watched, namespace: string): boolean {
  return watched.capps.list().some((capp) => capp.metadata.namespace === namespace);
}

/** True if there is nothing more to do. Throws what the client throws. */
export async function removeIfEmpty(kube: Kube, name: string): Promise<boolean> {
  const namespace = await kube.getMetadata(NAMESPACE, { namespace: null, name });
  if (namespace === null || !isMadeByUs(namespace)) return true;
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
