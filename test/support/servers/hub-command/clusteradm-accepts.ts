// What `clusteradm get token --use-bootstrap-token` and `clusteradm accept` ask of the API server of a hub,
// call by call, after its sources (v1: pkg/cmd/get/token/exec.go, pkg/cmd/accept/exec.go). The program itself
// is not to be had where this runs.
import { freshToken, type TokenText } from '../../../../crds/join/bootstrap-token.ts';
import type { SigningRequest } from '../../../../crds/join/signing-request.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';

const HUB = 'clustermanagers.operator.open-cluster-management.io';
const ROLES = '/apis/rbac.authorization.k8s.io/v1';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const BOOTSTRAP_GROUP = 'system:bootstrappers:managedcluster';
const BOOTSTRAP = 'system:open-cluster-management:bootstrap';

/** The token that is there already, or one that it makes with the rights for it. */
export async function clusteradmToken(kube: Kube, random: (bytes: number) => Uint8Array): Promise<TokenText> {
  await kube.raw('GET', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${HUB}`);
  const known = await listed(kube);
  if (known !== null) return known;
  const { id, secret } = freshToken(random);
  const made = (path: string, body: object): Promise<unknown> =>
    kube.raw('POST', path, { body }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  await made('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'open-cluster-management' },
  });
  await kube.create<Secret & { stringData: object }>(SECRET, {
    metadata: {
      namespace: 'kube-system',
      name: `bootstrap-token-${id}`,
      labels: { app: 'cluster-manager' },
    },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': BOOTSTRAP_GROUP,
    },
  });
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: BOOTSTRAP } };
  await made(`${ROLES}/clusterroles`, { ...role, kind: 'ClusterRole', rules: bootstrapRules() });
  await made(`${ROLES}/clusterrolebindings`, {
    ...role,
    kind: 'ClusterRoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: BOOTSTRAP },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: BOOTSTRAP_GROUP }],
  });
  return (
    (await listed(kube)) ?? Promise.reject(new Error('clusteradm finds the token that it made by its label'))
  );
}

async function listed(kube: Kube): Promise<TokenText | null> {
  const path = '/api/v1/namespaces/kube-system/secrets?labelSelector=app%3Dcluster-manager';
  const { items } = (await kube.raw('GET', path)) as { items: readonly Secret[] };
  const found = items.find(({ type }) => type === 'bootstrap.kubernetes.io/token');
  const of = (key: string): string => Buffer.from(found?.data?.[key] ?? '', 'base64').toString();
  return found === undefined ? null : { id: of('token-id'), secret: of('token-secret') };
}

function bootstrapRules(): readonly object[] {
  const rule = (apiGroups: string[], resources: string[], verbs: string[]): object => ({
    apiGroups,
    resources,
    verbs,
  });
  return [
    rule([''], ['configmaps'], ['get']),
    rule(['certificates.k8s.io'], ['certificatesigningrequests'], ['create', 'get', 'list', 'watch']),
    rule(['cluster.open-cluster-management.io'], ['managedclusters'], ['get', 'create']),
    rule(['cluster.open-cluster-management.io'], ['managedclustersets/join'], ['create']),
  ];
}

interface Asking extends SigningRequest {
  readonly spec: NonNullable<SigningRequest['spec']> & { readonly groups?: readonly string[] };
}

/** Whether it has found a request to approve, as the command says. */
export async function clusteradmAccept(kube: Kube, cluster: string): Promise<boolean> {
  const label = encodeURIComponent(`open-cluster-management.io/cluster-name = ${cluster}`);
  const { items } = (await kube.raw('GET', `${REQUESTS}?labelSelector=${label}`)) as {
    items: readonly Asking[];
  };
  const request = items.find(
    ({ spec }) =>
      spec.username?.startsWith('system:bootstrap:') === true &&
      spec.groups?.includes(BOOTSTRAP_GROUP) === true,
  );
  if (request === undefined) return false;
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'clusteradmApprove',
    message: 'This CSR was approved by clusteradm certificate approve.',
    lastUpdateTime: new Date().toISOString(),
  };
  const conditions = [...(request.status?.conditions ?? []), approved];
  const head = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' };
  await kube.raw('PUT', `${REQUESTS}/${request.metadata.name}/approval`, {
    body: { ...request, ...head, status: { ...request.status, conditions } },
  });
  const path = `/apis/${MANAGED_CLUSTER.apiVersion}/managedclusters/${cluster}`;
  const live = (await kube.raw('GET', path)) as ManagedCluster;
  await kube.raw('PUT', path, { body: { ...live, spec: { ...live.spec, hubAcceptsClient: true } } });
  return true;
}
