// What becomes of a cluster that was let in, where OCM's controllers and Kubernetes' cleaner of tokens do not
// run: the test writes what they would.
import { tokenKey, type TokenText } from '../../../../crds/join/bootstrap-token.ts';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { TOKEN_ENDS_AT } from '../../../../crds/join/labels.ts';
import { ADD_ON } from '../../../../crds/ocm/add-on.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';

/** The agent has come with its certificate, and OCM has brought our add-on. Once for each cluster. */
export async function comes(kube: Kube, cluster: string): Promise<void> {
  const lastTransitionTime = new Date(Date.now() + 1_000).toISOString();
  const holds = (...types: string[]) => ({
    status: {
      conditions: types.map((type) => ({
        type,
        status: 'True',
        reason: 'Test',
        message: '',
        lastTransitionTime,
      })),
    },
  });
  const key = { namespace: cluster, name: ADD_ON };
  await kube.create(NAMESPACE, { metadata: { name: cluster } });
  await kube.create(MANAGED_CLUSTER_ADD_ON, { metadata: key });
  await kube.patch(MANAGED_CLUSTER_ADD_ON, key, holds('ManifestApplied', 'Available'), {
    subresource: 'status',
  });
  await kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name: cluster },
    holds('HubAcceptedManagedCluster', 'ManagedClusterJoined', AVAILABLE),
    { subresource: 'status' },
  );
}

/** The token has ended a second ago. */
export async function ends(kube: Kube, { id }: TokenText): Promise<void> {
  const at = new Date(Date.now() - 1_000).toISOString();
  await kube.patch(SECRET, tokenKey(id), {
    metadata: { annotations: { [TOKEN_ENDS_AT]: at } },
    stringData: { expiration: at },
  });
}

export async function isThere(kube: Kube, { id }: TokenText): Promise<boolean> {
  return (await kube.getMetadata(SECRET, tokenKey(id))) !== null;
}
