// An informer's cache: all objects of one kind in memory, kept fresh by a watch.
import type { Kube } from '../client.ts';
import { keyText, type Key, type KubeObject, type Resource } from '../resource.ts';
import { FollowedSince } from './followed.ts';
import { Store, type Change } from './store.ts';
import { follow, type Watch, type WatchOptions } from './watch.ts';

export interface CacheOptions<T extends KubeObject> extends WatchOptions<T> {
  /** Index functions by name. Called once for each version of an object, after `transform`. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
}

export interface Cache<T extends KubeObject> extends Watch {
  get(key: Key): T | undefined;
  list(namespace?: string): T[];
  /** Objects with that value in the index. Throws for an index that was not declared. */
  by(index: string, value: string): T[];
  /** How many objects `by` would give. Looks at none of them. */
  count(index: string, value: string): number;
  /**
   * Calls the listener with every change from now on, once the cache shows it. Returns the function that
   * unsubscribes.
   */
  subscribe(listener: (change: Change<T>) => void): () => void;
  /** Calls the listener whenever `resourceVersion` may have moved. Returns the function that unsubscribes. */
  onSeen(listener: () => void): () => void;
  /** Calls the listener whenever `problem` changes. Returns the function that unsubscribes. */
  onProblemChanged(listener: () => void): () => void;
  /**
   * Whether the cache shows the world as of that resourceVersion or newer: versions are ordered numbers since
   * Kubernetes 1.35.
   */
  caughtUpWith(resourceVersion: string): boolean;
  /**
   * Since when it has followed, in milliseconds since the epoch; null before the first list, and while it is
   * interrupted (`problem`). An interruption counts after which it had to list anew, or which was longer than
   * `KUBE_TIMES.watchResumed`.
   */
  followsSince(): number | null;
  /** The resourceVersion of the newest change that it has shown, a deletion too; empty before the first. */
  changedAt(): string;
}

/** Starts to fill at once. */
export function cache<T extends KubeObject>(kube: Kube, options: CacheOptions<T>): Cache<T> {
  const { transform, indexes, onProblem } = options;
  const store = new Store<T>({ transform, indexes });
  let changedAt = '';
  const followed = new FollowedSince();
  const look = (): void => followed.look(source.problem() !== null, Date.now());
  const changes = listenersOf<Change<T>>(onProblem);
  const seen = listenersOf<void>(onProblem);
  const problems = listenersOf<void>(onProblem);
  const source = follow(kube, options, {
    store,
    onChange: (change) => {
      const { resourceVersion: at } = change.object.metadata;
      if (at !== undefined && (changedAt === '' || isAtLeast(at, changedAt))) changedAt = at;
      changes.tell(change);
    },
    onList: () => followed.listed(),
    onSeen: () => {
      look();
      seen.tell();
    },
    onProblemChanged: () => {
      look();
      problems.tell();
    },
  });
  return {
    synced: source.synced,
    resourceVersion: () => source.resourceVersion(),
    problem: () => source.problem(),
    followsSince: () => followed.since(),
    stop: () => source.stop(),
    get: (key) => store.get(keyText(key)),
    list: (namespace) =>
      store.all().filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
    by: (index, value) => store.by(index, value),
    count: (index, value) => store.count(index, value),
    subscribe: changes.add,
    onSeen: seen.add,
    onProblemChanged: problems.add,
    caughtUpWith: (wanted) => isAtLeast(source.resourceVersion(), wanted),
    changedAt: () => changedAt,
  };
}

/** Is called with the kind whose watch has a problem. */
export type OnProblem = (kind: string, error: unknown) => void;

export type HowToWatch<T extends KubeObject> = Omit<CacheOptions<T>, 'resource' | 'onProblem'>;

/** Returns the function that starts the cache of one kind. All of them report problems to one function. */
export function cachesOf(
  kube: Kube,
  onProblem: OnProblem,
): <T extends KubeObject>(resource: Resource, how?: HowToWatch<T>) => Cache<T> {
  return (resource, how) =>
    cache(kube, { ...how, resource, onProblem: (error) => onProblem(resource.kind, error) });
}

type Caches<T, Part extends keyof Watch> = { readonly [K in keyof T]: Pick<Watch, Part> };

/** Resolves when each of them has been filled. */
export async function allSynced<T extends Caches<T, 'synced'>>(caches: T): Promise<void> {
  await Promise.all(Object.values<Pick<Watch, 'synced'>>(caches).map(({ synced }) => synced));
}

/** Resolves when all of them have stopped. */
export async function stopAll<T extends Caches<T, 'stop'>>(caches: T): Promise<void> {
  await Promise.all(Object.values<Pick<Watch, 'stop'>>(caches).map((one) => one.stop()));
}

interface Audience<E> {
  tell(this: void, event: E): void;
  add(this: void, listener: (event: E) => void): () => void;
}

/** A listener that throws does not affect the others. */
function listenersOf<E>(onProblem: ((error: unknown) => void) | undefined): Audience<E> {
  const listeners = new Set<(event: E) => void>();
  return {
    tell: (event) => {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onProblem?.(error);
        }
      }
    },
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Versions that are no numbers can only be equal. */
export function isAtLeast(seen: string, wanted: string): boolean {
  const isNumber = /^\d+$/;
  if (!isNumber.test(seen) || !isNumber.test(wanted)) return seen === wanted;
  return BigInt(seen) >= BigInt(wanted);
}

/** managedFields are most of an object's size, and only the server needs them. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _managed, ...metadata } = object.metadata as T['metadata'] & {
    managedFields?: unknown;
  };
  return { ...object, metadata };
}
