// The patterns that no hostname may match: Go's regular expressions, as the Go operator reads them, in time
// linear in the hostname.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';

export type HostnamePattern = { readonly text: string } & (
  | { readonly matches: (hostname: string) => boolean }
  /** `position` counts characters from 1; null where a long pattern is not searched for it. */
  | { readonly error: string; readonly position: number | null }
);

const read = new WeakMap<readonly string[], readonly HostnamePattern[]>();

/**
 * Reads each list once: an RCSConfig keeps its list as long as it does not change. Empty patterns mean
 * nothing and are left out.
 */
export function patternsOf(texts: readonly string[]): readonly HostnamePattern[] {
  const known = read.get(texts);
  if (known !== undefined) return known;
  const patterns = texts.filter((text) => text !== '').map(pattern);
  read.set(texts, patterns);
  return patterns;
}

/** What is wrong with a pattern, and where. */
export function faultIn({ error, position }: Extract<HostnamePattern, { readonly error: string }>): string {
  return position === null ? error : `${error} at character ${position}`;
}

/** Unanchored, as in Go. */
export function pattern(text: string): HostnamePattern {
  try {
    const compiled = RE2JS.compile(text);
    return { text, matches: (hostname) => compiled.matcher(hostname).find() };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const [description, fragment] =
      error instanceof RE2JSSyntaxException ? [error.error, error.input] : [error.message, null];
    return { text, error: description, position: positionOf(text, fragment) };
  }
}

/** Each end of a pattern is tried until one can be read, which takes the square of its length. */
const LONGEST_SEARCHED = 128;

/** Where the faulty fragment begins; if it is the whole pattern, where its longest valid prefix ends. */
function positionOf(text: string, fragment: string | null): number | null {
  if (fragment !== null && fragment !== text && text.includes(fragment)) return text.indexOf(fragment) + 1;
  if (text.length > LONGEST_SEARCHED) return null;
  for (let length = text.length - 1; length > 0; length -= 1) {
    if (isReadable(text.slice(0, length))) return length + 1;
  }
  return 1;
}

function isReadable(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}
