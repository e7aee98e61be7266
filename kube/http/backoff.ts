// How long to leave a server alone that fails: longer each time, and never the same for two who failed together.

const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/** Milliseconds before the next try after so many failures in a row (1 or more). */
export function pauseAfter(failures: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return full * (0.5 + Math.random() / 2);
}
