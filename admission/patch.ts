// JSON patches (RFC 6902), of the two operations that our rules need: each names one place and touches
// nothing else.
import { at, isFields } from './fields.ts';

export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A JSON pointer (RFC 6901). */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Sets an annotation, or removes it if `value` is null. Empty if that changes nothing. */
export function annotate(object: unknown, name: string, value: string | null): Operation[] {
  if (!isFields(at(object, 'metadata'))) return [];
  const present = at(object, 'metadata', 'annotations');
  const path = pointer('metadata', 'annotations', name);
  if (!isFields(present))
    return value === null
      ? []
      : [{ op: 'add', path: pointer('metadata', 'annotations'), value: { [name]: value } }];
  if (value === null) return Object.hasOwn(present, name) ? [{ op: 'remove', path }] : [];
  return present[name] === value ? [] : [{ op: 'add', path, value }];
}

/**
 * Returns the patched object and leaves its argument alone. Throws an Error where the API server would: when
 * a path has no parent.
 */
export function applied(object: unknown, operations: readonly Operation[]): unknown {
  return operations.reduce((result, operation) => {
    const segments = operation.path.split('/').slice(1);
    return changed(
      result,
      segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')),
      operation,
    );
  }, object);
}

function changed(value: unknown, [name = '', ...rest]: readonly string[], operation: Operation): unknown {
  if (Array.isArray(value) && rest.length > 0 && Object.hasOwn(value, name)) {
    return value.map((item: unknown, index) =>
      String(index) === name ? changed(item, rest, operation) : item,
    );
  }
  if (!isFields(value) || (rest.length > 0 && !Object.hasOwn(value, name)))
    throw new Error(`${operation.path} has no parent`);
  if (rest.length > 0) return { ...value, [name]: changed(value[name], rest, operation) };
  if (operation.op === 'add') return { ...value, [name]: operation.value };
  const { [name]: _gone, ...others } = value;
  return others;
}
