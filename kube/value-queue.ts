// A work queue that holds what is to be written, and no more of it than fits.
import { keyedQueue, type KeyedQueue } from './queue.ts';

export interface ValueQueueOptions<T> {
  /** Also tells values apart: a waiting one is replaced by a later one of the same key. */
  readonly keyOf: (value: T) => string;
  /** Done one at a time, in order. A rejection is not retried. */
  readonly work: (value: T) => Promise<void>;
  /** More are not taken, as Kubernetes' own recorder of events does. */
  readonly mostWaiting: number;
}

export interface ValueQueue<T> extends Pick<KeyedQueue, 'size' | 'oldestAt' | 'idle' | 'stop'> {
  /** False if too many wait. */
  add(value: T): boolean;
}

/** What waits when the process is killed is lost. */
export function valueQueue<T>({ keyOf, work, mostWaiting }: ValueQueueOptions<T>): ValueQueue<T> {
  const waiting = new Map<string, T>();
  const queue = keyedQueue({
    concurrency: 1,
    work: async (key) => {
      const value = waiting.get(key);
      waiting.delete(key);
      if (value !== undefined) await work(value).catch(() => undefined);
    },
  });
  return {
    size: () => queue.size(),
    oldestAt: () => queue.oldestAt(),
    idle: () => queue.idle(),
    stop: () => queue.stop(),
    add: (value) => {
      if (waiting.size >= mostWaiting) return false;
      const key = keyOf(value);
      waiting.set(key, value);
      queue.add(key);
      return true;
    },
  };
}
