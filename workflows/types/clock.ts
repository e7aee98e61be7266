// Times: which is first, and how people read them. Pure.

/** Milliseconds since the epoch, as RFC 3339 to the second. */
export function clock(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The earliest of times, of which any may be null; null if all are. */
export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((one, other) => Math.min(one, other));
}
