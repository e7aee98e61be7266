// With `Recreate`, an app that must never run twice: where an earlier copy may still run, and how a person says that it does not. Pure.
import type { CappRef } from '../capp/state.ts';
import type { PlacementInputs } from './inputs.ts';

/**
 * Clusters on which an earlier copy may still run, so that a first choice has to wait: its work is being deleted, or it was served there and the
 * cluster cannot be asked. `served` is the site that the Capp's status names, or null.
 */
export function mayRunOn({ works, clusters }: PlacementInputs, served: string | null): string[] {
  const going = Object.keys(works).filter((cluster) => works[cluster]?.leaving === true);
  const isLost = served !== null && works[served] === undefined && clusters[served]?.reachable !== true;
  return [...new Set([...going, ...(isLost ? [served] : [])])].toSorted();
}

/** `handled` is the id of the last such word, which says nothing a second time. */
export function wordFor({ namespace, name }: Pick<CappRef, 'namespace' | 'name'>, to: string, handled: string | null): string {
  const before = Number(handled ?? 0);
  const id = Number.isSafeInteger(before) ? before + 1 : 1;
  return `kubectl -n ${namespace} annotate capp ${name} --overwrite rcs.dana.io/force=${to}#${id}`;
}
