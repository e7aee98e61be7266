// A fake cache that a test fills itself, without an API server.
import type { Cache } from '../../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { Change } from '../../../../kube/watch/store.ts';

export interface FakeCache<T extends KubeObject> {
  readonly cache: Cache<T>;
  /** Resolves `synced`. */
  sync(): Promise<void>;
  /** Adds or replaces the object, and notifies subscribers. */
  put(object: T): void;
  /** Sets the problem of the watch; null clears it. */
  fail(problem: unknown): void;
}

/** Starts with these objects, by name. */
export function fakeCache<T extends KubeObject>(...objects: T[]): FakeCache<T> {
  const listeners = new Set<(change: Change<T>) => void>();
  const troubled = new Set<() => void>();
  const synced = Promise.withResolvers<void>();
  const held = new Map(objects.map((object) => [object.metadata.name, object]));
  let problem: unknown = null;
  const into =
    <L>(audience: Set<L>) =>
    (listener: L) => {
      audience.add(listener);
      return () => void audience.delete(listener);
    };
  const cache = {
    synced: synced.promise,
    problem: () => problem,
    get: ({ name }: { name: string }) => held.get(name),
    list: () => [...held.values()],
    changedAt: () => '',
    subscribe: into(listeners),
    onSeen: into(new Set<() => void>()),
    onProblemChanged: into(troubled),
    stop: () => Promise.resolve(),
  };
  return {
    cache: cache as unknown as Cache<T>,
    sync: () => {
      synced.resolve();
      return synced.promise;
    },
    put: (object) => {
      const previous = held.get(object.metadata.name) ?? object;
      held.set(object.metadata.name, object);
      for (const listener of listeners) listener({ type: 'Modified', object, previous, initial: false });
    },
    fail: (what) => {
      problem = what;
      for (const listener of troubled) listener();
    },
  };
}
