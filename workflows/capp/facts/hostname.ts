// Whether users of a Capp's hostname would be worse off on the new site of a move. Pure.
import { isHealthy } from './copies.ts';
import type { State } from '../state.ts';
import type { Finding } from '../../types/copy.ts';

/** The old copy serves, and its site is not known to be lost. */
export function isOldServing({ move, unreachable, copies }: State): boolean {
  return move !== null && !unreachable.includes(move.from) && isHealthy(copies[move.from]);
}

/**
 * What the new site lacks to answer for the hostname that the old one answers for; null if a move need not
 * wait: nothing is lacking, the old copy does not serve, its site lacks something as well, or a person does
 * not want to wait.
 */
export function lackOfHostname(state: State): NonNullable<Finding['hostname']> | null {
  const { move, copies } = state;
  if (move === null || move.ignoresHostname === true || move.request?.force === true) return null;
  const lacking = copies[move.to]?.finding?.hostname;
  const isLackingToo = copies[move.from]?.finding?.hostname !== undefined;
  return lacking === undefined || isLackingToo || !isOldServing(state) ? null : lacking;
}
