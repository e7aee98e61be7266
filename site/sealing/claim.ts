// Says to the hubs of a site to which key they are to seal.
import { MANAGED_BY, MANAGED_BY_SITE } from '../../crds/labels.ts';
import { CLUSTER_CLAIM, type ClusterClaim } from '../../crds/ocm/cluster-claim.ts';
import { claimText, SEALING_CLAIM } from '../../crds/sealing/site-key.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists, isNotFound } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';

const KEY = { namespace: null, name: SEALING_CLAIM } as const;

/**
 * True if it had to be written. What somebody else claims under this name is replaced: it would have Secrets
 * sealed so that this site cannot open them. Does nothing where no klusterlet runs, since the kind is not
 * there. A repeat finds what it wrote. Throws ApiError.
 */
export async function claimKey(
  kube: Pick<Kube, 'get' | 'create' | 'patch'>,
  publicKey: Buffer,
): Promise<boolean> {
  const spec = { value: claimText(publicKey) };
  const live = await kube.get<ClusterClaim & KubeObject>(CLUSTER_CLAIM, KEY);
  if (live?.spec?.value === spec.value) return false;
  if (live !== null) {
    const { uid, resourceVersion } = live.metadata;
    await kube.patch(CLUSTER_CLAIM, KEY, { metadata: { uid, resourceVersion }, spec });
    return true;
  }
  const { apiVersion, kind } = CLUSTER_CLAIM;
  const metadata = { name: SEALING_CLAIM, labels: { [MANAGED_BY]: MANAGED_BY_SITE } };
  try {
    await kube.create(CLUSTER_CLAIM, { apiVersion, kind, metadata, spec } as KubeObject);
    return true;
  } catch (error) {
    if (isNotFound(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}
