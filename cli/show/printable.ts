// Text of the hub for a terminal: what a site or a user wrote must not steer it.

/** Control characters become blanks; what follows in one line stays in one line. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
