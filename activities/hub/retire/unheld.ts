// Releases works that no work agent has ever held: their cluster never joined, or is gone, so no agent there
// removes the finalizer.
import {
  JOINED,
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { dropWork } from './removal.ts';

/** The work agent has reported whether it could apply a work. */
const APPLIED = 'Applied';
/** Works that are looked at at once. */
const AT_ONCE = 20;

/**
 * Releases works being deleted that no agent ever held. Returns their clusters. Safe to repeat. Throws
 * ApiError.
 */
export async function dropUnheld(kube: Kube, works: readonly KubeObject[]): Promise<string[]> {
  const few = fewAtOnce(AT_ONCE);
  const dropped = await Promise.all(works.map((work) => few(() => dropIfUnheld(kube, work))));
  return dropped.filter((cluster) => cluster !== null);
}

/** The work is read before its cluster: an agent that joins in between finds it deleted. */
async function dropIfUnheld(kube: Kube, { metadata }: KubeObject): Promise<string | null> {
  const { namespace = '', name, uid } = metadata;
  const work = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  if (
    work === null ||
    work.metadata.uid !== uid ||
    work.metadata.deletionTimestamp === undefined ||
    has(work, APPLIED)
  )
    return null;
  const cluster = await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: namespace });
  if (cluster !== null && has(cluster, JOINED)) return null;
  await dropWork(kube, work);
  return namespace;
}

function has({ status }: ManifestWork | ManagedCluster, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) === true;
}
