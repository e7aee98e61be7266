// Follows all objects of one kind by a watch.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../../kube/client.ts';
import { deferred } from '../../../kube/deferred.ts';
import { isNotFound } from '../../../kube/failure.ts';
import { keyTextOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { watch } from '../../../kube/watch/watch.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { isFinal } from './follow.ts';

export interface FollowedObject<T> {
  /** As they are now; one that is gone is as it was last. */
  readonly object: T;
  /** It is there no more, or it is, and its labels are no more those that were selected. */
  readonly gone: 'Deleted' | 'Unselected' | null;
}

export interface FollowedKind {
  readonly resource: Resource;
  /** Null: all. */
  readonly namespace: string | null;
  readonly labelSelector?: string | undefined;
}

/** So long changes are gathered, in milliseconds. */
const TOGETHER_MS = 100;

/**
 * Calls `show` with all of them, and then with those that have changed, until the signal aborts. Throws
 * ApiError when the hub refuses, or does not know the kind at first; other interruptions of the watch are
 * waited out.
 */
export async function followAll<T extends KubeObject>(
  { kube }: Pick<ConnectedHub, 'kube'>,
  { resource, namespace, labelSelector }: FollowedKind,
  show: (changed: readonly FollowedObject<T>[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { promise: refused, reject, resolve } = deferred<void>();
  const changed = new Map<string, FollowedObject<T>>();
  let wake = deferred<void>();
  let isSynced = false;
  const source = watch<T>(
    kube,
    {
      resource,
      ...(namespace === null ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      onProblem: (error) => void ((isFinal(error) || (!isSynced && isNotFound(error))) && reject(error)),
    },
    ({ type, object }) => {
      changed.set(keyTextOf(object), { object, gone: type === 'Deleted' ? 'Deleted' : null });
      wake.resolve();
    },
  );
  const end = (): void => resolve();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const showAll = async (): Promise<void> => {
    await source.synced;
    isSynced = true;
    while (!signal.aborted) {
      const all = [...changed.values()];
      changed.clear();
      wake = deferred();
      const told = all.map((one) => orUnselected(kube, { resource, labelSelector }, one));
      show(await Promise.all(told));
      await wake.promise;
      await sleep(TOGETHER_MS);
    }
  };
  try {
    await Promise.race([refused, showAll()]);
  } finally {
    signal.removeEventListener('abort', end);
    await source.stop();
  }
}

/** A watch by labels says of an object that has lost them what it says of one that was deleted. */
async function orUnselected<T extends KubeObject>(
  kube: Pick<Kube, 'get'>,
  { resource, labelSelector }: Pick<FollowedKind, 'resource' | 'labelSelector'>,
  followed: FollowedObject<T>,
): Promise<FollowedObject<T>> {
  const { object, gone } = followed;
  if (gone === null || labelSelector === undefined) return followed;
  const { namespace = null, name, uid } = object.metadata;
  // Who cannot ask knows only that it is selected no more.
  const found = await kube.get(resource, { namespace, name }).catch(() => object);
  return found?.metadata.uid === uid ? { object, gone: 'Unselected' } : followed;
}
