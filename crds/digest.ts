// Digests by which a later turn, or a later version, knows again what was written. None may get another
// value: an upgrade would roll sites (test/unit/hub/frozen-hashes.test.ts).
import * as crypto from 'node:crypto';

/** The first so many hex digits of a text's SHA-256; 64 has all. */
export function digestOf(text: string, digits: number): string {
  return sha256(text).slice(0, digits);
}

type OneShot = (algorithm: string, text: string, encoding: 'hex') => string;

/** In one call, which takes half as long; before Node 20.12 in three. */
const { hash } = crypto as { hash?: OneShot };
const sha256: (text: string) => string =
  hash === undefined
    ? (text) => crypto.createHash('sha256').update(text).digest('hex')
    : (text) => hash('sha256', text, 'hex');

/** A value's JSON with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** With the keys of all objects in the order in which API servers keep them. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || isDigits(value)) return value;
  const whole = value as Readonly<Record<string, unknown>>;
  const after: Record<string, unknown> = {};
  // By their code units.
  for (const key of Object.keys(whole).toSorted()) {
    const inner = whole[key];
    if (inner === undefined) continue;
    if (key === '__proto__') Object.defineProperty(after, key, { ...OWN, value: sorted(inner) });
    else after[key] = sorted(inner);
  }
  return after;
}

const OWN = { enumerable: true, configurable: true, writable: true };

const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };

/** A whole number that no double holds, as `kube/files` reads it. Node 20 has none. */
function isDigits(value: object): boolean {
  return isRawJSON?.(value) === true;
}
