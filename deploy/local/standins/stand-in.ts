// What all stand-ins have in common: each watches a site and replaces one component that is missing there.
import { isConflict, isNotFound } from '../../../kube/failure.ts';
import { keyedQueue, type KeyedQueue } from '../../../kube/queue.ts';
import type { Key } from '../../../kube/resource.ts';

export interface StandIn {
  /** Resolves when its caches have synced; rejects if it is stopped before. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

/** Called with errors after which the work is tried again. */
export type OnPartProblem = (part: string, error: unknown) => void;

export interface StandInPart {
  readonly name: string;
  readonly onProblem: OnPartProblem;
  /** Work starts when these have resolved. */
  readonly after: readonly Promise<unknown>[];
  work(key: Key): Promise<void>;
}

/**
 * A queue of "namespace/name" keys. Conflicts are ignored: the watch delivers the newer object, which adds
 * its key again.
 */
export function partQueue({ name, onProblem, after, work }: StandInPart): KeyedQueue {
  const begun = Promise.all(after);
  // Rejects when the stand-in is stopped before its caches have synced.
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
