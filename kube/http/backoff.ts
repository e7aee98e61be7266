// Exponential backoff with jitter, so that clients that failed together do not return together.
import { KUBE_TIMES } from '../times.ts';

export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

const DEFAULT: BackoffLimits = {
  firstMs: KUBE_TIMES.backoffFirst.ms,
  longestMs: KUBE_TIMES.backoffLongest.ms,
};

/** Milliseconds before the next try, after this many failures in a row (1 or more). */
export function backoff(failures: number, { firstMs, longestMs }: BackoffLimits = DEFAULT): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return full * (0.5 + Math.random() / 2);
}
