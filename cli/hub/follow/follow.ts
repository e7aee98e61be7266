// Follows one object by a watch until the caller has seen what it waits for.
import { deferred } from '../../../kube/deferred.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../kube/resource.ts';
import { watch, type Watch } from '../../../kube/watch/watch.ts';
import type { ConnectedHub } from '../connection/hub.ts';

export interface Followed extends Key {
  readonly resource: Resource;
}

export interface FollowOptions {
  /** Milliseconds; null for as long as it takes. */
  readonly withinMs: number | null;
  readonly signal: AbortSignal;
}

/** Some 24 days: a longer timer of Node's would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Shows the object as it is and after every change, null when it is gone, until `look` gives a value. Null
 * when the time is over or the signal aborts. Throws ApiError when the hub refuses; other interruptions of
 * the watch are waited out.
 */
export async function follow<T extends object | string>(
  { kube }: ConnectedHub,
  { resource, namespace, name }: Followed,
  look: (object: KubeObject | null) => T | undefined,
  { withinMs, signal }: FollowOptions,
): Promise<T | null> {
  const { promise, resolve, reject } = deferred<T | null>();
  const giveUp = (): void => resolve(null);
  const timer = withinMs === null ? undefined : setTimeout(giveUp, Math.min(withinMs, LONGEST_TIMER_MS));
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  let isThere = false;
  const show = (object: KubeObject | null): void => {
    isThere = object !== null;
    try {
      const seen = look(object);
      if (seen !== undefined) resolve(seen);
    } catch (error) {
      reject(error);
    }
  };
  const source = watch(
    kube,
    {
      resource,
      ...(namespace === null ? {} : { namespace }),
      fieldSelector: `metadata.name=${name}`,
      onProblem: (error) => void (isFinal(error) && reject(error)),
    },
    ({ type, object }) => show(type === 'Deleted' ? null : object),
  );
  void afterFirst(source, () => void (isThere || show(null)));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    await source.stop();
  }
}

/** Rights do not come back by themselves while somebody waits, and what cannot be read stays so. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 422]);

export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && FINAL.has(error.code);
}

async function afterFirst({ synced }: Watch, then: () => void): Promise<void> {
  await synced.then(then, () => undefined);
}
