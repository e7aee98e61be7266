// What every stand-in is to the process that runs them: something that keeps watch over one site and plays one absent part.
import { isConflict, isNotFound } from '../../../kube/failure.ts';
import { keyedQueue, type KeyedQueue } from '../../../kube/queue.ts';
import type { Key } from '../../../kube/resource.ts';

export interface StandIn {
  /** Resolves when all it looks at has been listed once; rejects if stopped before. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

/** Hears of what will be tried again. */
export type OnProblem = (part: string, error: unknown) => void;

export interface Part {
  readonly name: string;
  readonly onProblem: OnProblem;
  /** Nothing is worked on before these are done. */
  readonly after: readonly Promise<unknown>[];
  work(key: Key): Promise<void>;
}

/** A queue of "namespace/name" keys. Somebody else's newer write is no failure: the watch brings it, and the key with it. */
export function partQueue({ name, onProblem, after, work }: Part): KeyedQueue {
  const begun = Promise.all(after);
  // Stopped before all was listed: nothing waits for it any more.
  begun.catch(() => undefined);
  return keyedQueue({
    concurrency: 8,
    onError: (_, error) => onProblem(name, error),
    work: async (text) => {
      await begun;
      const slash = text.indexOf('/');
      try {
        await work({ namespace: text.slice(0, slash), name: text.slice(slash + 1) });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  });
}
