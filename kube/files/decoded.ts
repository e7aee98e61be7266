// Makes text of the bytes of a file, as kubectl does.
import { isUtf8 } from 'node:buffer';

export interface DecodedFile {
  readonly text: string;
  /** Letters were of no encoding that a file may have: each is U+FFFD in the text. */
  readonly isLossy: boolean;
}

/** UTF-8, or UTF-16 if a byte order mark says so. */
export function decoded(bytes: Uint8Array): DecodedFile {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return { text: new TextDecoder().decode(bytes), isLossy: !isUtf8(bytes) };
  const encoding = isLittle ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, isLossy: text.includes(LOST) && !isWhole(bytes, encoding) };
}

/** What a decoder makes of a letter that it cannot read. */
export const LOST = '\uFFFD';

function isWhole(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
