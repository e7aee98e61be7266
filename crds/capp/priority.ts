// The order among Capps that leave a site together, as annotation `rcs.dana.io/priority` says it.

/** Between minus this and this, so that no tenant outbids all others for good. */
export const HIGHEST_PRIORITY = 1000;

const WHOLE = /^-?\d{1,9}$/;

/** A whole number, whatever its size; null for what is none. */
export function parsePriority(value: string): number | null {
  return WHOLE.test(value) ? Number(value) : null;
}

/** Higher goes first. 0 for what says nothing, or nothing that can be read; what was written before there was a bound counts as the bound. */
export function boundedPriority(value: string | undefined): number {
  return Math.max(-HIGHEST_PRIORITY, Math.min(HIGHEST_PRIORITY, parsePriority(value ?? '') ?? 0));
}
