// A manifest without what is null in it. Pure.
import { isDigits } from '../../../../kube/files/digits.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * As `kubectl apply` creates an object: without the keys of maps that are null, also in maps of lists. For
 * server-side apply they would be values: a limit of `null` would become one of 0.
 */
export function pruned<T>(value: T): T {
  return without(value) as T;
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
