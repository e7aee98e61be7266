// Reads the history of a Capp that the hub keeps.
import type { Capp } from '../../../crds/capp/capp.ts';
import { CAPP_REVISION, isRevisionOf, numberOf, type CappRevision } from '../../../crds/capp-revision.ts';
import { CAPP_OF_REVISION } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/**
 * Newest first, without those of an earlier Capp of the same name. Empty where the hub does not have the
 * kind. Throws ApiError, also for missing rights.
 */
export async function revisionsOf({ kube }: ConnectedHub, { metadata }: Capp): Promise<CappRevision[]> {
  const { namespace = '', name, uid } = metadata;
  const labelSelector = `${CAPP_OF_REVISION}=${name}`;
  try {
    const { items } = await kube.list<CappRevision>(CAPP_REVISION, { namespace, labelSelector });
    return items.filter((one) => isRevisionOf(uid, one)).toSorted((a, b) => numberOf(b) - numberOf(a));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return [];
    throw error;
  }
}
