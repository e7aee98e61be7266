// Calls an activity as a local activity first, and as an activity that the server retries if that fails.
import { isFailed, isFinal } from './failed.ts';
import type { Calls, Shipping } from './runtime.ts';

/**
 * A local activity saves the server two workflow tasks. If it fails, a regular activity is tried until it
 * succeeds. The work may be done twice.
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
 * Only a regular activity: everything decided before it is in the history. A local activity may belong to a
 * workflow task that is lost, and still act while the next task, which does not know of it, decides
 * otherwise. `Recreate` must not run two copies, so its removals and applies go this way.
 */
export function durably<T>({ hub }: Calls, summary: string, work: (by: Shipping) => Promise<T>): Promise<T> {
  return work(hub(summary));
}
