// Takes one object away from a site that leaves.
import type { Kube } from '../../../kube/client.ts';
import { isConflict, isNotFound } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';

/** Throws ApiError. Safe to repeat. */
export async function removed(site: Kube, resource: Resource, { metadata }: KubeObject): Promise<void> {
  const { name, namespace = null } = metadata;
  try {
    await site.remove(resource, { namespace, name });
  } catch (error) {
    // A namespace that is being deleted is refused once more.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
