// Whether the site of a Capp is another hub's, for this Capp. Pure.
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isHealthy, isOthers, mayServe, refusalOf, servingCopy } from './copies.ts';

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
  if (copy === null || copy === undefined) return false;
  return copy.work?.asksThere === true && isOthers(copy) && mayServe(copy);
}

/**
 * It came to be in doubt, or another stamp of it did, and no report says that it serves: its site is asked.
 */
export function isAgentToBeAsked(was: Copy | undefined, is: Copy | undefined): boolean {
  return isUnknown(is) && !(isUnknown(was) && was?.stamp === is?.stamp);
}

function isUnknown(copy: Copy | undefined): boolean {
  return isInDoubt(copy) && (copy?.finding === null || !isHealthy(copy));
}
