// Durations as Go writes and reads them, which is how Knative's annotations have them.

/** Seconds as Go prints a duration: 0s, 45s, 1m30s, 1h0m0s. */
export function goDuration(total: number): string {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = `${total % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

const SECOND = 1_000_000_000n;
/** Of micro there are two characters, and Go reads both. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['h', 3600n * SECOND],
  ['m', 60n * SECOND],
  ['s', SECOND],
  ['ms', 1_000_000n],
  ['us', 1_000n],
  ['\u00B5s', 1_000n],
  ['\u03BCs', 1_000n],
  ['ns', 1n],
]);
const MOST = 2n ** 63n - 1n;
/** More digits than these pass `MOST` before the point, and say nothing after it. */
const DIGITS = 19;

/** In nanoseconds, as Go's time.ParseDuration reads it; null for what it refuses. */
function nanosecondsOf(duration: string): bigint | null {
  const [sign = ''] = /^[-+]?/.exec(duration) ?? [];
  const rest = duration.slice(sign.length);
  if (rest === '0') return 0n;
  const part = /(\d*)(?:\.(\d*))?([^.\d]+)/y;
  let total = 0n;
  do {
    const [, whole = '', fraction = '', unit = ''] = part.exec(rest) ?? [];
    const more = whole + fraction === '' ? null : amountOf(whole, fraction, UNITS.get(unit));
    if (more === null) return null;
    total += more;
    if (total > MOST) return null;
  } while (part.lastIndex < rest.length);
  return sign === '-' ? -total : total;
}

/** What is left of a nanosecond is cut off. */
function amountOf(whole: string, fraction: string, unit: bigint | undefined): bigint | null {
  const digits = whole.replace(/^0+/, '');
  if (unit === undefined || digits.length > DIGITS) return null;
  const least = Math.trunc(Number(`0.${fraction.slice(0, DIGITS)}0`) * Number(unit));
  return BigInt(digits === '' ? 0 : digits) * unit + BigInt(least);
}

/** NaN for what is no duration. */
export function secondsOf(duration: string): number {
  const found = nanosecondsOf(duration);
  return found === null ? Number.NaN : Number(found) / Number(SECOND);
}

/** Neither below 0 nor with a fraction of a second. */
export function isWholeSeconds(duration: string): boolean {
  const found = nanosecondsOf(duration);
  return found !== null && found >= 0n && found % SECOND === 0n;
}
