// Times that others than the hub may have written into a copy. Pure.
import type { Target } from '../../../workflows/stages/types.ts';
import { HUB_TIMES } from '../times.ts';

/**
 * No hub worker can have written it by now, whatever somebody has written into the copy since: what is waited
 * for from such a time on would be waited for until then.
 */
export function isAhead(at: number, now: number): boolean {
  return at > now + HUB_TIMES.clocksApart.ms;
}

interface Whereabouts {
  readonly isReachable: boolean;
  /** In milliseconds since the epoch; null if it is not lost, or nobody knows. */
  readonly lostSince: number | null;
}

/**
 * When a copy was given what it has. A time that is yet to come is none: such a copy is written again, or its
 * site was lost with it. It may not count as now at each look, since no deadline would come then.
 */
export function givenAt(at: number, now: number, { isReachable, lostSince }: Whereabouts): number {
  if (!isAhead(at, now)) return at;
  return isReachable ? now : (lostSince ?? 0);
}

/**
 * Why a copy is to be written again; empty if it is not. `isUnfit`: it has not what its site is to have.
 * Where only the time `at` that it says is wrong, writing it changes nothing on its site, so that goes
 * through no stage and asks nobody.
 */
export function againFor(isUnfit: boolean, at: number, now: number): Pick<Target, 'isStale' | 'isMisdated'> {
  return { ...(isUnfit ? { isStale: true } : {}), ...(isAhead(at, now) ? { isMisdated: true } : {}) };
}
