// Times that others than the hub may have written into a copy. Pure.
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
