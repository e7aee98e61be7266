// Removals that the hub's API server refuses: they hold up no other site, and are told and tried again.
import { ApiError } from '../../../../kube/failure.ts';

export interface RefusedRemoval {
  readonly cluster: string;
  /** As the API calls it. */
  readonly reason: string;
}

/** Why the first of them is still there, and who can help; null if none was refused. */
export function whyRefused([first]: readonly RefusedRemoval[]): string | null {
  if (first === undefined) return null;
  return `the hub refuses that for ${first.cluster} (${first.reason}). A webhook of the hub, or a missing right of the hub worker, may be why; it is tried again each minute.`;
}

/**
 * Of removals that were tried at once. Throws the first failure that is no answer: nobody knows whether that
 * copy is gone, and the count in the status has it (`noteRemovals`).
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
