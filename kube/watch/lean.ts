// What need not be kept of an object in memory.
import type { KubeObject } from '../resource.ts';

/** Without what the API server remembers of every writer: most of an object's size, and only the server's business. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _managed, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  return { ...object, metadata };
}
