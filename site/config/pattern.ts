// Patterns of a CappConfig: Go's regular expressions, in time linear in what they are tried on.
import { RE2JS, RE2JSException } from 're2js';

/** As a whole, or any part of the text. An unreadable pattern matches nothing; `readConfig` reports it. */
export function matches(pattern: string, text: string, part: 'whole' | 'any'): boolean {
  if (!isReadable(pattern)) return false;
  const matcher = RE2JS.compile(pattern).matcher(text);
  return part === 'whole' ? matcher.matches() : matcher.find();
}

export function isReadable(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}
