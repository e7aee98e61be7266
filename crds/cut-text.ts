// Cuts a text to so many bytes.

/** At most so many bytes of UTF-8, and no broken character at the end. */
export function cutText(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const start = Buffer.from(text)
    .subarray(0, bytes - 3)
    .toString('utf8');
  return `${start.replace(/\uFFFD+$/, '')}…`;
}
