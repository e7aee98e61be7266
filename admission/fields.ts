// Reads fields of unvalidated objects: what is missing or of another type is absent, never an error.
import { amountOf } from '../crds/kubernetes/quantity.ts';

export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

/** Empty if there is no such text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The entries of a list by their names; of several with one name the first. */
export function byName(entries: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(entries.toReversed().map((one) => [textAt(one, 'name'), one] as const));
}

/** NaN if it is not a quantity: every comparison with it is false. */
export function amount(quantity: unknown): number {
  if (typeof quantity !== 'number' && typeof quantity !== 'string') return Number.NaN;
  try {
    return amountOf(quantity);
  } catch {
    return Number.NaN;
  }
}
