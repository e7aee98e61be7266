// Removals that the hub's API server refuses: they hold up no other site, and are told and tried again.
import { ApiError } from '../../../kube/failure.ts';

export interface RefusedRemoval {
  readonly cluster: string;
  /** As the API calls it. */
  readonly reason: string;
}

/**
 * Of removals that were tried at once. Throws the first failure that is no answer: nobody knows whether that copy is gone, and
 * the count in the status has it (`noteRemovals`).
 */
export function unremovedOf(
  clusters: readonly string[],
  tried: readonly PromiseSettledResult<unknown>[],
): RefusedRemoval[] {
  return tried.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [];
    const failure: unknown = one.reason;
    if (!(failure instanceof ApiError) || failure.code === 0) throw failure;
    return [{ cluster: clusters[index] ?? '', reason: failure.reason }];
  });
}
