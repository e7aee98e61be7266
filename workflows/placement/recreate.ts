// For `Recreate`, where an earlier copy may still run, and how a person confirms that it does not. Pure.
import type { CappRef } from '../capp/state.ts';
import type { PlacementInputs } from './inputs.ts';

/** Clusters on which an earlier copy may still run, so that a first choice has to wait. */
export interface EarlierCopies {
  /** Clusters whose work is being deleted, or that served the Capp and cannot be asked. */
  readonly going: readonly string[];
  /** Clusters with a work that may be the Capp's, and that no controller removes. */
  readonly standing: readonly string[];
}

/** `served` is the site that the Capp's status names, or null; `chosen` the one that it would be sent to. */
export function mayRunOn(
  { works, clusters, doubtful = [] }: PlacementInputs,
  served: string | null,
  chosen: string,
): EarlierCopies {
  const going = Object.keys(works).filter((cluster) => works[cluster]?.leaving === true);
  const isLost = served !== null && works[served] === undefined && clusters[served]?.reachable !== true;
  const staying = Object.keys(works).filter((cluster) => works[cluster]?.leaving === false);
  const standing = [...staying, ...doubtful].filter((cluster) => cluster !== chosen);
  return {
    going: [...new Set([...going, ...(isLost ? [served] : [])])].toSorted(),
    standing: [...new Set(standing)].toSorted(),
  };
}

/** `handled` is the id of the last request of this kind; a request with that id has no effect. */
export function confirmationCommand(
  { namespace, name }: Pick<CappRef, 'namespace' | 'name'>,
  to: string,
  handled: string | null,
): string {
  const before = Number(handled ?? 0);
  const id = Number.isSafeInteger(before) ? before + 1 : 1;
  return `kubectl -n ${namespace} annotate capp ${name} --overwrite rcs.dana.io/force=${to}#${id}`;
}
