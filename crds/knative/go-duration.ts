// Durations as Go writes and reads them, which is how Knative's annotations have them.

/** Seconds as Go prints a duration: 0s, 45s, 1m30s, 1h0m0s. */
export function goDuration(total: number): string {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = `${total % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0.000_001 };

/** In seconds; NaN for what is no duration. */
export function secondsOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|m|s)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== duration) return Number.NaN;
  return parts.reduce((total, [, count, unit = '']) => total + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** Neither below 0 nor with a fraction of a second. */
export function isWholeSeconds(duration: string): boolean {
  return duration === '0' || Number.isInteger(secondsOf(duration));
}
