// Adds finalizers to an object, removes them, and tells that of the garbage collector. The resourceVersion in
// the patch keeps those of others.
import type { Kube } from './client.ts';
import { isNotFound } from './failure.ts';
import { keyOf, type KubeObject, type Resource } from './resource.ts';

/**
 * Takes the object as it was read, and returns it as it is then. A repeat writes nothing. Throws ApiError: a
 * Conflict if the object has changed since.
 */
export async function addFinalizer<T extends KubeObject>(
  kube: Pick<Kube, 'patch'>,
  resource: Resource,
  object: T,
  finalizer: string,
): Promise<T> {
  const { uid, resourceVersion, finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  const metadata = { uid, resourceVersion, finalizers: [...finalizers, finalizer] };
  return kube.patch<T>(resource, keyOf(object), { metadata });
}

/**
 * An object that is gone has none. A repeat writes nothing. Throws ApiError: a Conflict if the object has
 * changed since.
 */
export async function removeFinalizers(
  kube: Pick<Kube, 'patch'>,
  resource: Resource,
  object: KubeObject,
  released: readonly string[],
): Promise<void> {
  const { uid, resourceVersion, finalizers = [] } = object.metadata;
  const others = finalizers.filter((one) => !released.includes(one));
  if (others.length === finalizers.length) return;
  const metadata = { uid, resourceVersion, finalizers: others.length === 0 ? null : others };
  try {
    await kube.patch(resource, keyOf(object), { metadata });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/**
 * It is being deleted so that what it owns stays (`--cascade=orphan`): the garbage collector takes the owner
 * reference off all of that first, and this finalizer then.
 */
export function isOrphaning({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): boolean {
  return deletionTimestamp !== undefined && finalizers.includes('orphan');
}
