// How long to wait before a failed step is tried again: longer each time, with an upper bound.

import type { Backoff } from '../state.ts';

const FIRST = 200;
const SLOWEST = 10 * 60_000;

/**
 * The backoff after one more failure: `first` milliseconds, doubling up to ten minutes. A new ring ends it.
 */
export function backOff(
  before: Backoff | null,
  at: { now: number; ringsHeard: number },
  first = FIRST,
): Backoff {
  const tries = (before?.tries ?? 0) + 1;
  return { tries, ringsHeard: at.ringsHeard, until: at.now + pauseAfter(tries, first) };
}

/** In milliseconds, after so many failures in a row: `first` after one, doubling up to ten minutes. */
export function pauseAfter(tries: number, first: number): number {
  return Math.min(SLOWEST, first * 2 ** Math.min(tries - 1, 16));
}
