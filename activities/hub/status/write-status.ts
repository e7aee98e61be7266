// Sends the patch of a Capp's status.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError, isInvalid, isNotFound } from '../../../kube/failure.ts';
import { keyOf } from '../../../kube/resource.ts';
import type { statusPatch } from './one-write.ts';

const HOW = { type: 'json', subresource: 'status', fieldManager: 'cappstan' } as const;

/**
 * A Capp that is gone needs no status. Throws ApiError: a Conflict if it has changed since it was read. The
 * API server calls a patch invalid, without naming a field, if what it is to change is not there any more, as
 * in a successor's status: it finds that before it compares versions.
 */
export async function writeStatus(
  kube: Pick<Kube, 'patch'>,
  capp: Capp,
  patch: ReturnType<typeof statusPatch>,
): Promise<void> {
  if (patch.length === 0) return;
  await kube.patch(CAPP, keyOf(capp), patch, HOW).catch((error: unknown) => {
    if (isNotFound(error)) return;
    if (!isInvalid(error) || error.fields.length > 0) throw error;
    const { method, path } = error;
    throw new ApiError({ method, path, code: 409, reason: 'Conflict' });
  });
}
