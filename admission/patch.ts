// JSON patches (RFC 6902), of the two operations that our rules need: each names one place and touches
// nothing else.
import { isFields, type Fields } from '../kube/fields.ts';
import { at } from './fields.ts';

export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A JSON pointer (RFC 6901). */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Sets an annotation, or removes it if `value` is empty. No operation if that changes nothing. */
export function annotate(object: unknown, name: string, value: string): Operation[] {
  if (!isFields(at(object, 'metadata'))) return [];
  const present = at(object, 'metadata', 'annotations');
  const path = pointer('metadata', 'annotations', name);
  if (!isFields(present))
    return value === ''
      ? []
      : [{ op: 'add', path: pointer('metadata', 'annotations'), value: { [name]: value } }];
  if (value === '') return Object.hasOwn(present, name) ? [{ op: 'remove', path }] : [];
  return present[name] === value ? [] : [{ op: 'add', path, value }];
}

/** The same for several: each rests on those before it, which may have to make the annotations. */
export function annotateAll(
  object: unknown,
  values: readonly (readonly [name: string, value: string])[],
): Operation[] {
  const patches: Operation[] = [];
  for (const [name, value] of values) patches.push(...annotate(applied(object, patches), name, value));
  return patches;
}

/**
 * Returns the patched object and leaves its argument alone. Throws an Error where the API server would: when
 * a path has no parent.
 */
export function applied(object: unknown, operations: readonly Operation[]): unknown {
  const copies = new Set<unknown>();
  return operations.reduce((result, operation) => {
    const segments = operation.path.split('/').slice(1);
    return changed(
      result,
      segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')),
      { operation, copies },
    );
  }, object);
}

interface Change {
  readonly operation: Operation;
  /** What was made here, and may be changed in place: a long list is copied once for all operations in it. */
  readonly copies: Set<unknown>;
}

function changed(value: unknown, [name = '', ...rest]: readonly string[], change: Change): unknown {
  const { operation } = change;
  const isList = Array.isArray(value) && rest.length > 0;
  if ((!isList && !isFields(value)) || (rest.length > 0 && !Object.hasOwn(value, name)))
    throw new Error(`${operation.path} has no parent`);
  const copy = copyOf(value, change);
  if (rest.length > 0) put(copy, name, changed(copy[name], rest, change));
  else if (operation.op === 'add') put(copy, name, operation.value);
  else delete copy[name];
  return copy;
}

function copyOf(value: Fields | readonly unknown[], { copies }: Change): Record<string, unknown> {
  if (copies.has(value)) return value as Record<string, unknown>;
  const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Fields) };
  copies.add(copy);
  return copy as Record<string, unknown>;
}

/** As JSON.parse does it, for any name. */
function put(copy: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
}
