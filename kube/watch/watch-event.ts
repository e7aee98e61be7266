// One line of a watch, and whether something is one.

export interface Event<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** What an ERROR carries is a Status, and no object. */
export function isEvent<T>(value: unknown): value is Event<T> {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('object' in value)) return false;
  const { type, object } = value;
  if (type === 'ERROR') return true;
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return false;
  return ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'].includes(String(type));
}
