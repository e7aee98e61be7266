// Where the lines of a log go: to the caller, as fast as the caller reads and no further than an answer may.
import { deferred, type Deferred } from '../../kube/deferred.ts';
import { MOST_BYTES } from '../bounds.ts';
import { REMARK } from '../lines.ts';
import type { Sink } from './context.ts';

/** Of an HTTP response. */
export interface Outgoing {
  /** False when there is no room for more: then comes `drain`. */
  write(text: string): boolean;
  on(event: 'drain', listener: () => void): unknown;
}

/** Ends the stream when it has become too long: who follows asks again, and others are told. */
export function sinkOf(
  response: Outgoing,
  { ending, isFollowed }: { readonly ending: AbortController; readonly isFollowed: boolean },
): Sink {
  let left = MOST_BYTES;
  /** Empty while there is room. All who wait for room wait for this one. */
  const waiting: { room?: Deferred<void> } = {};
  const goOn = (): void => {
    waiting.room?.resolve();
    delete waiting.room;
  };
  response.on('drain', goOn);
  ending.signal.addEventListener('abort', goOn, { once: true });
  return {
    signal: ending.signal,
    write: async (text, signal) => {
      // Many containers write: whoever was first when there was room has perhaps taken it.
      while (waiting.room !== undefined && !ending.signal.aborted) await waiting.room.promise;
      if (ending.signal.aborted || signal?.aborted === true) return;
      left -= Buffer.byteLength(text);
      if (left < 0) {
        if (!isFollowed) response.write(`${REMARK} Only the first 64 MiB are told: ask for less.\n`);
        return ending.abort();
      }
      if (!response.write(text)) waiting.room ??= deferred();
    },
  };
}
