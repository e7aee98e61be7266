// Rings workflows of one kind, each for everything that has changed since it was rung last.
import { keyedQueue } from '../kube/queue.ts';
import { newest, type Ring } from '../workflows/types/ring.ts';

/** What caches must have seen, by kind; empty for what is read live. */
export type SeenVersions = Ring['minimumVersions'];

export interface Rings {
  /** `key`: what is to be rung, such as "namespace/name" of a Capp or the id of a workflow. */
  call(key: string, changed: SeenVersions, patienceMs?: number): void;
  stop(): Promise<void>;
}

/** A ring that fails is sent again, with what has changed meanwhile. */
export function rings(
  send: (key: string, changed: SeenVersions) => Promise<void>,
  onError: (key: string, error: unknown) => void,
): Rings {
  const waiting = new Map<string, SeenVersions>();
  const queue = keyedQueue({
    concurrency: 8,
    onError,
    work: async (key) => {
      const changed = waiting.get(key) ?? {};
      waiting.delete(key);
      await send(key, changed).catch((error: unknown) => {
        waiting.set(key, newest(changed, waiting.get(key) ?? {}));
        throw error;
      });
    },
  });
  return {
    call: (key, changed, patienceMs = 0) => {
      waiting.set(key, newest(waiting.get(key) ?? {}, changed));
      queue.add(key, patienceMs);
    },
    stop: () => queue.stop(),
  };
}
