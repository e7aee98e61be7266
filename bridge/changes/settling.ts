// Rings Capps that settle one after the other: of many at once, most are Ready before it is their turn, and a
// ring for each would cost more than what it is for.
import { keyedQueue, type KeyedQueue } from '../../kube/queue.ts';
import { BRIDGE_TIMES } from '../times.ts';

export interface SettlingOptions {
  /** Asked when it is the Capp's turn. */
  readonly isNeeded: (key: string) => boolean;
  readonly ring: (key: string) => void;
}

export function settling({ isNeeded, ring }: SettlingOptions): Pick<KeyedQueue, 'add' | 'idle' | 'stop'> {
  return keyedQueue({
    concurrency: 1,
    work: async (key) => {
      if (!isNeeded(key)) return;
      ring(key);
      await new Promise((resolve) => void setTimeout(resolve, BRIDGE_TIMES.workPause.ms));
    },
  });
}
