// A copy of one kind in memory, kept fresh by a watch, for those who read often and ask the API server never.
import type { Kube } from '../client.ts';
import { keyText, type Key, type KubeObject } from '../resource.ts';
import { Store } from './store.ts';
import { follow, type Change, type Watch, type WatchOptions } from './watch.ts';

export interface CacheOptions<T extends KubeObject> extends WatchOptions<T> {
  /** By name, what an object is to be found under. Called once for each version of an object, after `transform`. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
}

export interface Cache<T extends KubeObject> extends Watch {
  get(key: Key): T | undefined;
  list(namespace?: string): T[];
  /** Objects that the index files under the value. Throws on an index that was not declared. */
  by(index: string, value: string): T[];
  /** Calls with every change from now on, when the cache already shows it. What was there before is in `list`. Returns the way to end it. */
  subscribe(listener: (change: Change<T>) => void): () => void;
  /** Calls whenever `resourceVersion` may have moved, changes or not. Returns the way to end it. */
  onSeen(listener: () => void): () => void;
  /** Calls whenever `problem` has become another, or null. Returns the way to end it. */
  onProblem(listener: () => void): () => void;
  /** Whether the cache shows the world as of that resourceVersion or newer: versions are ordered numbers since Kubernetes 1.35. */
  caughtUpWith(resourceVersion: string): boolean;
}

/** Begins to fill at once. */
export function cache<T extends KubeObject>(kube: Kube, options: CacheOptions<T>): Cache<T> {
  const { transform, indexes, onProblem } = options;
  const store = new Store<T>({ transform, indexes });
  const changes = audience<Change<T>>(onProblem);
  const sights = audience<void>(onProblem);
  const problems = audience<void>(onProblem);
  const source = follow(kube, options, { store, onChange: changes.tell, onSeen: sights.tell, onProblem: problems.tell });
  return {
    synced: source.synced,
    resourceVersion: () => source.resourceVersion(),
    problem: () => source.problem(),
    stop: () => source.stop(),
    get: (key) => store.get(keyText(key)),
    list: (namespace) => store.all().filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
    by: (index, value) => store.by(index, value),
    subscribe: changes.add,
    onSeen: sights.add,
    onProblem: problems.add,
    caughtUpWith: (wanted) => isAtLeast(source.resourceVersion(), wanted),
  };
}

type Caches<T, Part extends keyof Watch> = { readonly [K in keyof T]: Pick<Watch, Part> };

/** Resolves when each of them has been filled. */
export async function allSynced<T extends Caches<T, 'synced'>>(caches: T): Promise<void> {
  await Promise.all(Object.values<Pick<Watch, 'synced'>>(caches).map(({ synced }) => synced));
}

/** Resolves when none of them tells anything more. */
export async function stopAll<T extends Caches<T, 'stop'>>(caches: T): Promise<void> {
  await Promise.all(Object.values<Pick<Watch, 'stop'>>(caches).map((one) => one.stop()));
}

interface Audience<E> {
  tell(this: void, event: E): void;
  add(this: void, listener: (event: E) => void): () => void;
}

/** One listener's fault is nothing to the others. */
function audience<E>(onProblem: ((error: unknown) => void) | undefined): Audience<E> {
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

/** What is no number can only be compared for being the same. */
export function isAtLeast(seen: string, wanted: string): boolean {
  const isNumber = /^\d+$/;
  if (!isNumber.test(seen) || !isNumber.test(wanted)) return seen === wanted;
  return BigInt(seen) >= BigInt(wanted);
}

/** Without what the API server remembers of every writer: most of an object's size, and only the server's business. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _managed, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  return { ...object, metadata };
}
