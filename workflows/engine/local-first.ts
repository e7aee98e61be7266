// Calls an activity as a local activity first, and as an activity that the server retries if that fails.
import { isFailed, isFinal } from './failed.ts';
import type { Calls, Shipping } from './runtime.ts';

/**
 * Done at once if it can be, which saves the server two turns; else it takes as long as it takes. It may be
 * done twice.
 */
export async function localFirst<T>(
  { localWrite, hub }: Calls,
  summary: string,
  work: (by: Shipping) => Promise<T>,
): Promise<T> {
  try {
    return await work(localWrite(summary));
  } catch (error) {
    if (!isFailed(error) || isFinal(error)) throw error;
    return work(hub(summary));
  }
}

/**
 * Only when all that was decided before stands in the history. What is done promptly may belong to a turn
 * that is lost, and is done while the next turn, which knows nothing of it, decides otherwise. `Recreate`
 * must not run twice, so what goes and what comes instead are done in this way.
 */
export function durably<T>({ hub }: Calls, summary: string, work: (by: Shipping) => Promise<T>): Promise<T> {
  return work(hub(summary));
}
