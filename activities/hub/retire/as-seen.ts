// Deletes an object only while it is still what somebody looked at.
import type { Kube } from '../../../kube/client.ts';
import { ApiError, isConflict } from '../../../kube/failure.ts';
import { keyOf, type Key, type KubeObject, type Resource } from '../../../kube/resource.ts';

/** `Begun`: also by somebody else. `Changed`: it is still there, and not as it was looked at. */
export type RemovalAsSeen = 'Begun' | 'Gone' | 'Changed';

/** An object that is written all the time is looked at so often. */
const MOST_LOOKS = 3;

/**
 * The uid keeps a successor safe. Of an object that was written since it was looked at, `isAsSeen` says
 * whether the deletion still holds. Throws ApiError: without an answer (code 0) when nobody knows whether the
 * object is gone, and otherwise only while it is there as it was, since admission may refuse with a Conflict,
 * and a server that fails may have deleted it before. Safe to repeat.
 */
export async function removeAsSeen(
  kube: Kube,
  resource: Resource,
  object: KubeObject,
  isAsSeen: (live: KubeObject) => boolean,
): Promise<RemovalAsSeen> {
  const { uid = '' } = object.metadata;
  const key = keyOf(object);
  let { resourceVersion = '' } = object.metadata;
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    try {
      return (await kube.remove(resource, key, { uid, resourceVersion })) ? 'Begun' : 'Gone';
    } catch (error) {
      if (!(error instanceof ApiError) || isRefusal(error)) throw error;
      const present = await presentOr(kube, resource, key, error);
      if (present?.metadata.uid !== uid) return 'Gone';
      if (present.metadata.deletionTimestamp !== undefined) return 'Begun';
      if (!isConflict(error) || present.metadata.resourceVersion === resourceVersion) throw error;
      if (!isAsSeen(present)) return 'Changed';
      ({ resourceVersion = '' } = present.metadata);
    }
  }
  return 'Changed';
}

/** Nothing was deleted, and it was not because the object has changed. */
function isRefusal(error: ApiError): boolean {
  return error.code < 500 && !isConflict(error);
}

/** What is there after the deletion was answered in this way. */
async function presentOr(
  kube: Kube,
  resource: Resource,
  key: Key,
  { method, path, reason }: ApiError,
): Promise<KubeObject | null> {
  try {
    return await kube.get(resource, key);
  } catch (cause) {
    throw new ApiError({ method, path, code: 0, reason, cause });
  }
}
