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

/** As `timesAsLong`, for work that waits. */
export async function timesAsLongWaiting(
  enough: number,
  work: () => Promise<unknown>,
  unit: () => Promise<unknown>,
): Promise<number> {
  let least = Infinity;
  for (let left = TRIES; left > 0 && least >= enough; left -= 1) {
    const whole = await waitOf(unit);
    least = Math.min(least, (await waitOf(work)) / whole);
  }
  return least;
}

async function waitOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Milliseconds. */
function timeOf(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}
