// Whether the site of a Capp is another hub's, for this Capp. Pure.
import type { State } from '../state.ts';
import { isOthers, mayServe, refusalOf, servingCopy } from './copies.ts';

/**
 * What the site says, which names the other hub; null if it has not refused the copy so. A copy that may
 * serve there all the same is no reason to go: whose the site is, its admin may be about to put right.
 */
export function otherHubOf(state: State): string | null {
  const copy = servingCopy(state);
  return copy === null || mayServe(copy) || !isOthers(copy) ? null : (refusalOf(copy)?.message ?? null);
}
