// The ServiceAccount as which a site's agent is known at the gateway. It is owned by its ManagedCluster, so
// that it goes with it: OCM leaves the namespace of a cluster that is deleted, and tokens of an account that
// is still there would open the door for whichever cluster gets that name next.
import { AGENT_ACCOUNT } from '../../../crds/hub/agent-identity.ts';
import { SERVICE_ACCOUNT, type ServiceAccount } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject, OwnerReference } from '../../../kube/resource.ts';

/**
 * `hasToken`: the site has a token of the account. An account without an owner, as earlier versions made it,
 * is kept then. Any other that is not this very cluster's is replaced, and its tokens count for nothing. Safe
 * to repeat: what is replaced or adopted is what was read. Throws ApiError when somebody else has done so
 * meanwhile.
 */
export async function ensureAccount(kube: Kube, cluster: KubeObject, hasToken: boolean): Promise<void> {
  const { name, uid = '' } = cluster.metadata;
  const key = { namespace: name, name: AGENT_ACCOUNT };
  const owner = { apiVersion: MANAGED_CLUSTER.apiVersion, kind: MANAGED_CLUSTER.kind, name, uid };
  const found = await kube.get<ServiceAccount>(SERVICE_ACCOUNT, key);
  if (found === null) return create(kube, owner);
  const { ownerReferences = [], uid: accountUid = '', resourceVersion = '' } = found.metadata;
  if (ownerReferences.some((one) => one.uid === uid)) return;
  if (hasToken && ownerReferences.length === 0) {
    const metadata = { uid: accountUid, resourceVersion, ownerReferences: [owner] };
    await kube.patch(SERVICE_ACCOUNT, key, { metadata });
    return;
  }
  await kube.remove(SERVICE_ACCOUNT, key, { uid: accountUid, resourceVersion });
  await create(kube, owner);
}

async function create(kube: Kube, owner: OwnerReference): Promise<void> {
  const { apiVersion, kind } = SERVICE_ACCOUNT;
  const metadata = { namespace: owner.name, name: AGENT_ACCOUNT, ownerReferences: [owner] };
  const account = { apiVersion, kind, metadata, automountServiceAccountToken: false };
  await kube.create(SERVICE_ACCOUNT, account).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
