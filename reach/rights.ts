// Whether who follows still may, for as long as a stream goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from './refusal.ts';
import { READER_TIMES } from './times.ts';

/**
 * Reviews in a row that could not be made, before a stream ends: nobody reads on a right that nobody knows.
 */
export const MOST_UNMADE = 3;

export interface WatchedRight {
  /** Throws Refused for who may not, and anything else if nobody can say. */
  review(signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Aborts `ending`, with what the review has thrown, when the right is gone. Resolves when `ending` aborts.
 */
export async function watchRights(
  { review, onError }: WatchedRight,
  ending: AbortController,
  everyMs: number = READER_TIMES.rights.ms,
): Promise<void> {
  const { signal } = ending;
  let unmade = 0;
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await review(signal);
      unmade = 0;
    } catch (error) {
      if (signal.aborted) return;
      unmade += 1;
      if (!(error instanceof Refused)) onError(error);
      if (error instanceof Refused || unmade >= MOST_UNMADE) return ending.abort(error);
    }
  }
}
