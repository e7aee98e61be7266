// Formats a time for people.

/** Milliseconds since the epoch, as RFC 3339 to the second. */
export function clock(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
