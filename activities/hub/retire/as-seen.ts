// Deletes an object only while it is still what somebody looked at.
import type { Kube } from '../../../kube/client.ts';
import { isConflict } from '../../../kube/failure.ts';
import { keyOf, type KubeObject, type Resource } from '../../../kube/resource.ts';

/** `Begun`: also by somebody else. `Changed`: it is still there, and not what was looked at. */
export type RemovalAsSeen = 'Begun' | 'Gone' | 'Changed';

/**
 * The uid keeps a successor safe, and the resourceVersion whatever has been said of the object since. Throws
 * ApiError; a Conflict only if the object has not changed, since admission may refuse with that too. Safe to
 * repeat.
 */
export async function removeAsSeen(
  kube: Kube,
  resource: Resource,
  object: KubeObject,
): Promise<RemovalAsSeen> {
  const { uid = '', resourceVersion = '' } = object.metadata;
  const key = keyOf(object);
  try {
    return (await kube.remove(resource, key, { uid, resourceVersion })) ? 'Begun' : 'Gone';
  } catch (error) {
    if (!isConflict(error)) throw error;
    const present = await kube.getMetadata(resource, key);
    if (present?.metadata.uid !== uid) return 'Gone';
    if (present.metadata.deletionTimestamp !== undefined) return 'Begun';
    if (present.metadata.resourceVersion === resourceVersion) throw error;
    return 'Changed';
  }
}
