// A kind that an API server may or may not serve. It is watched while it is served; its absence is no error.
import { cache, type Cache, type CacheOptions } from './cache.ts';
import type { Kube } from '../client.ts';
import { deferred } from '../deferred.ts';
import { isNotFound } from '../failure.ts';
import type { KubeObject } from '../resource.ts';
import type { Change } from './store.ts';

export interface Optional<T extends KubeObject> extends Pick<Cache<T>, 'get' | 'list' | 'by' | 'stop'> {
  /** Resolves once it is known whether the kind is served. */
  readonly known: Promise<void>;
  served(): boolean;
  /** Calls back when the kind comes or goes. Returns the function that ends it. */
  onServed(listener: () => void): () => void;
  /** Returns the function that ends it. */
  subscribe(listener: (change: Change<T>) => void): () => void;
}

/**
 * The watch goes on trying while the kind is not there; one that had it and lost it is replaced, so that its
 * return is noticed too.
 */
export function optional<T extends KubeObject>(kube: Kube, options: CacheOptions<T>): Optional<T> {
  const listeners = new Set<() => void>();
  const subscribers = new Set<(change: Change<T>) => void>();
  const { promise: known, resolve } = deferred<void>();
  let served: boolean | null = null;
  let current = begin();

  function learn(now: boolean): void {
    const changed = served !== now;
    served = now;
    resolve();
    if (changed) for (const listener of listeners) listener();
  }

  function lose(): void {
    const had = served === true;
    if (had) {
      void current.stop();
      current = begin();
    }
    learn(false);
  }

  function begin(): Cache<T> {
    const next = cache<T>(kube, {
      ...options,
      onProblem: (error) => (isNotFound(error) ? lose() : options.onProblem?.(error)),
    });
    next.subscribe((change) => subscribers.forEach((subscriber) => subscriber(change)));
    next.synced.then(
      () => learn(true),
      () => undefined,
    );
    return next;
  }

  return {
    known,
    served: () => served === true,
    get: (key) => current.get(key),
    list: (namespace) => current.list(namespace),
    by: (index, value) => current.by(index, value),
    stop: () => current.stop(),
    onServed: (listener) => added(listeners, listener),
    subscribe: (subscriber) => added(subscribers, subscriber),
  };
}

function added<L>(all: Set<L>, one: L): () => void {
  all.add(one);
  return () => void all.delete(one);
}
