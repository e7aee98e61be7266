// Of a deletion nothing is said while it takes no longer than most: whoever deleted the Capp knows of it.
// Pure.
import type { State } from '../state.ts';

/**
 * Until when nothing is said, in milliseconds since the epoch; null if it is to be said. That a site is lost,
 * or that a copy is not given up, is said at once: a person has to act.
 */
export function quietUntil({ retiring, tellLeavingAt, leaving }: State, now: number): number | null {
  if (!retiring || tellLeavingAt === undefined || now >= tellLeavingAt) return null;
  const isForPeople = Object.values(leaving).some(
    ({ lost, givenUp }) => lost !== undefined || givenUp === true,
  );
  return isForPeople ? null : tellLeavingAt;
}
