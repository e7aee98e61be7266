// How much one site may ask for, so that what one site does costs the others nothing.
import { tooMuch } from '../refusal.ts';

export interface RateBounds {
  /** Calls a second that are allowed for long, and how many may come at once after a rest. */
  readonly perSecond: number;
  readonly atOnce: number;
}

/**
 * Each call of an agent. One that waits for 5,000 Capps at one time, which is the most that it does, sends
 * 750 heartbeats a second, and answers for all of them at once when the site is well again.
 */
export const CALLS: RateBounds = { perSecond: 1_000, atOnce: 8_000 };
/** Signals, which each cost a workflow a task: the inventory's pages and rings after a storm on the site. */
export const SIGNALS: RateBounds = { perSecond: 20, atOnce: 200 };
/** Polls that are open at one time: an agent has four. */
export const OPEN_POLLS = 8;

interface Bucket {
  left: number;
  at: number;
}

/**
 * A bucket of calls for each site. Throws a GatewayRefusal (RESOURCE_EXHAUSTED) when a site's bucket is
 * empty.
 */
export function allowance(
  what: string,
  { perSecond, atOnce }: RateBounds,
  now: () => number = Date.now,
): { take(cluster: string): void } {
  const buckets = new Map<string, Bucket>();
  return {
    take: (cluster) => {
      const at = now();
      const bucket = buckets.get(cluster) ?? { left: atOnce, at };
      const left = Math.min(atOnce, bucket.left + ((at - bucket.at) * perSecond) / 1_000);
      buckets.set(cluster, { left: Math.max(0, left - 1), at });
      if (left < 1)
        throw tooMuch(`This site sends more than ${perSecond} ${what} a second. The agent tries again.`);
    },
  };
}
