// Work on many sites or Capps that goes on for long lets other work of its process have its turn.
import { setImmediate as turn } from 'node:timers/promises';
import { HUB_TIMES } from './times.ts';

/** To be awaited after each part of the work. Throws the reason of the signal once that is aborted. */
export function breather(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HUB_TIMES.breath.ms) return;
    await turn();
    signal?.throwIfAborted();
    since = performance.now();
  };
}
