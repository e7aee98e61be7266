// Digests by which a later turn, or a later version, knows again what was written. None may get another
// value: an upgrade would roll sites (test/unit/hub/frozen-hashes.test.ts).
import { createHash } from 'node:crypto';

/** The first so many hex digits of a text's SHA-256; 64 has all. */
export function digestOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

/** A value's JSON with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** With the keys of all objects in the order in which API servers keep them. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || isDigits(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** A whole number that no double holds, as `kube/files` reads it. Node 20 has none. */
function isDigits(value: object): boolean {
  return (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value) === true;
}
