// A manifest without what is null in it. Pure.
import { isDigits } from '../../../../kube/files/digits.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * As `kubectl apply` creates an object: without the keys of maps that are null, also in maps of lists. For
 * server-side apply they would be values: a limit of `null` would become one of 0. What has none is returned
 * as it is.
 */
export function pruned<T>(value: T): T {
  return hasNulls(value) ? (without(value) as T) : value;
}

function hasNulls(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNulls);
  return isMap(value) && Object.values(value).some((inner) => inner === null || hasNulls(inner));
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, without(inner)]));
}

/** Not digits, which are no map (`kube/files/digits.ts`). */
function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !isDigits(value);
}
