// A site that is to be a cluster of Argo CD on a hub of its own. No cluster-proxy and no
// managed-serviceaccount runs: what they leave on the hub is written in their place.
import { NAMESPACE, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { ARGO_CLUSTER } from '../../../../crds/labels.ts';
import { OF_MANAGED_ACCOUNT } from '../../../../crds/ocm/managed-service-account.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { secretNameOf } from '../../../../registrar/cluster.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aTokenOf } from '../../builders/registrar.ts';

/** Nobody connects to it here. */
export const USER_SERVER = 'https://user-server.example:9092';
const ARGO = 'argocd';

/** `authority` is the path of any certificate. */
export function argoFlags(authority: string): string[] {
  const server = ['--argocd-user-server', USER_SERVER, '--argocd-user-server-ca-file', authority];
  return ['--argocd-namespace', ARGO, ...server];
}

export async function makeArgoSite(kube: Kube, name: string): Promise<void> {
  await kube.create(MANAGED_CLUSTER, {
    metadata: { name, labels: { [ARGO_CLUSTER]: 'true' } },
    spec: { hubAcceptsClient: true },
  } as KubeObject);
  // OCM makes it when the cluster is accepted.
  await eventually(async () => (await kube.get(NAMESPACE, { namespace: null, name })) ?? undefined);
  await kube.create(MANAGED_CLUSTER_ADD_ON, {
    metadata: { namespace: name, name: 'cluster-proxy' },
    spec: {},
  } as KubeObject);
  const token = Buffer.from(aTokenOf(ARGO)).toString('base64');
  await kube.create<Secret>(SECRET, {
    metadata: { namespace: name, name: ARGO, labels: { [OF_MANAGED_ACCOUNT]: 'true' } },
    data: { token },
  });
}

/** Waits until OCM has let it go. */
export async function removeArgoSite(kube: Kube, name: string): Promise<void> {
  await kube.remove(MANAGED_CLUSTER_ADD_ON, { namespace: name, name: 'cluster-proxy' });
  const key = { namespace: null, name };
  await kube.remove(MANAGED_CLUSTER, key);
  await eventually(async () => ((await kube.get(MANAGED_CLUSTER, key)) === null ? true : undefined));
}

export async function argoSecret(kube: Kube, site: string): Promise<Secret | undefined> {
  const key = { namespace: ARGO, name: secretNameOf(site) };
  return (await kube.get<Secret>(SECRET, key)) ?? undefined;
}
