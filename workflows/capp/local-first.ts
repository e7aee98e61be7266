// The hub's writes in the quickest way that works.
import { isFailed, isFinal } from '../failed.ts';
import type { Calls, Shipping } from '../runtime.ts';

/** Done at once if it can be, which saves the server two turns; else it takes as long as it takes. It may be done twice. */
export async function localFirst<T>({ localWrite, hub }: Calls, summary: string, work: (by: Shipping) => Promise<T>): Promise<T> {
  try {
    return await work(localWrite(summary));
  } catch (error) {
    if (!isFailed(error) || isFinal(error)) throw error;
    return work(hub(summary));
  }
}
