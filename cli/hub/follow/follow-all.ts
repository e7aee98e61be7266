// Follows all objects of one kind by a watch.
import { setTimeout as sleep } from 'node:timers/promises';
import { deferred } from '../../../kube/deferred.ts';
import { keyTextOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { watch } from '../../../kube/watch/watch.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { isFinal } from './follow.ts';

export interface FollowedObject<T> {
  /** As they are now; one that is gone is as it was last. */
  readonly object: T;
  readonly isGone: boolean;
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
 * ApiError when the hub refuses; other interruptions of the watch are waited out.
 */
export async function followAll<T extends KubeObject>(
  { kube }: ConnectedHub,
  { resource, namespace, labelSelector }: FollowedKind,
  show: (changed: readonly FollowedObject<T>[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { promise: refused, reject, resolve } = deferred<void>();
  const changed = new Map<string, FollowedObject<T>>();
  let wake = deferred<void>();
  const source = watch<T>(
    kube,
    {
      resource,
      ...(namespace === null ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      onProblem: (error) => void (isFinal(error) && reject(error)),
    },
    ({ type, object }) => {
      changed.set(keyTextOf(object), { object, isGone: type === 'Deleted' });
      wake.resolve();
    },
  );
  const end = (): void => resolve();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const showAll = async (): Promise<void> => {
    await source.synced;
    while (!signal.aborted) {
      const all = [...changed.values()];
      changed.clear();
      wake = deferred();
      show(all);
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
