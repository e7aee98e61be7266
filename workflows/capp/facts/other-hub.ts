// Whether the site of a Capp is another hub's, for this Capp. Pure.
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isOthers, mayServe, refusalOf, servingCopy } from './copies.ts';

/**
 * What the site says, which names the other hub; null if it has not refused the copy so. A copy that may
 * serve there all the same is no reason to go: whose the site is, its admin may be about to put right.
 */
export function otherHubOf(state: State): string | null {
  const copy = servingCopy(state);
  return copy === null || mayServe(copy) || !isOthers(copy) ? null : (refusalOf(copy)?.message ?? null);
}

/**
 * The copy may serve though its site refuses it so: only the site can say whether anything of it is there.
 */
export function isInDoubt(copy: Copy | null | undefined): boolean {
  if (copy === null || copy === undefined || copy.finding !== null) return false;
  return copy.work?.asksThere === true && isOthers(copy) && mayServe(copy);
}
