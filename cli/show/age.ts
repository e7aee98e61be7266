// Times as people say them.

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** As kubectl does: `45s`, `12m`, `5h`, `3d`; `0s` for what is in the future. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  // Two of a unit at least, so that 90 minutes are not an hour.
  const unit = UNITS.find(([, size]) => seconds >= 2 * size);
  return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit[1])}${unit[0]}`;
}

/** The span since a time in RFC 3339; `<unknown>` for none. */
export function age(time: string | undefined, now: number): string {
  return time === undefined ? '<unknown>' : span(now - Date.parse(time));
}
