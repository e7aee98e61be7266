// How long one piece of work takes beside another. The speed of a machine changes within a test, so a test
// compares work with work that ran just before it, and tries again when the pair came out badly: other load
// makes single pairs worse, and a slow algorithm makes all of them.
const TRIES = 7;

/**
 * The least ratio of `work` to `unit`, in wall time, of up to seven pairs. It stops at the first pair below
 * `enough`.
 */
export function timesAsLong(enough: number, work: () => unknown, unit: () => unknown): number {
  let least = Infinity;
  for (let left = TRIES; left > 0 && least >= enough; left -= 1) {
    const whole = timeOf(unit);
    least = Math.min(least, timeOf(work) / whole);
  }
  return least;
}

/** Milliseconds. */
function timeOf(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}
