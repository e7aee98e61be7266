// Somebody who has come with a token and keeps the certificate of an agent: the right one, or a thief. The
// rights that OCM gives by it are written by the test: a stand-in for OCM's hub controllers, which bind them
// to the same group.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIGNING_REQUEST, type SigningRequest } from '../../../../crds/join/signing-request.ts';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { isForbidden } from '../../../../kube/failure.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { endpointOf } from '../../../../kube/http/credentials.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import { requestWithKey } from '../../builders/join/requests.ts';

export interface Certified {
  readonly kube: Kube;
  /** When its certificate ends, in milliseconds since the epoch. */
  readonly endsAt: number;
}

interface Coming {
  /** With the token. */
  readonly visitor: Kube;
  readonly admin: Kube;
  /** Of an administrator. */
  readonly kubeconfig: string;
}

/**
 * Asks as an agent of the cluster, and waits for the certificate when `accepts` has let it in. Returns a
 * client that shows it.
 */
export async function certified(
  cluster: string,
  { visitor, admin, kubeconfig }: Coming,
  accepts: (request: SigningRequest) => Promise<unknown>,
): Promise<Certified> {
  const { request, key } = await requestWithKey({ cluster });
  await eventually(() => visitor.create<SigningRequest>(SIGNING_REQUEST, request));
  await accepts(request);
  const { name } = request.metadata;
  const certificate = await eventually(async () => {
    const now = await admin.get<SigningRequest>(SIGNING_REQUEST, { namespace: null, name });
    return now?.status?.certificate;
  });
  const folder = mkdtempSync(join(tmpdir(), 'certified-'));
  const file = (base: string, text: string): string => {
    writeFileSync(join(folder, base), text);
    return join(folder, base);
  };
  const endpoint = endpointOf({ kubeconfig });
  const { ca = '' } = (await endpoint.credentials()).tls;
  const own = join(folder, 'kubeconfig');
  await writeKubeconfig(own, {
    cluster: 'hub',
    server: endpoint.origin,
    ca: file('ca.crt', String(ca)),
    credential: {
      pair: {
        cert: file('agent.crt', Buffer.from(certificate, 'base64').toString()),
        key: file('agent.key', key),
      },
    },
  });
  const endsAt = Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
  return { kube: connect({ kubeconfig: own, deadlineMs: API_TIMEOUT_MS }), endsAt };
}

/** Whether somebody may read what is in the namespace of the cluster. */
export async function reads(
  { kube }: Pick<Certified, 'kube'>,
  namespace: string,
  resource: Resource = SECRET,
): Promise<boolean> {
  try {
    await kube.list(resource, { namespace });
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

const RBAC = 'rbac.authorization.k8s.io/v1';
const ROLE = { apiVersion: RBAC, kind: 'Role', plural: 'roles', namespaced: true } as const;
const BINDING = { apiVersion: RBAC, kind: 'RoleBinding', plural: 'rolebindings', namespaced: true } as const;

/**
 * What OCM does for a cluster that is accepted: rights for a group of its name. Returns what it does when the
 * cluster goes.
 */
export async function rightsOf(admin: Kube, cluster: string): Promise<() => Promise<void>> {
  const metadata = { namespace: cluster, name: 'agents' };
  const labels = { 'open-cluster-management.io/cluster-name': cluster };
  await admin.create(NAMESPACE, { metadata: { name: cluster, labels } }).catch(() => undefined);
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }];
  const group = `system:open-cluster-management:${cluster}`;
  await admin.create(ROLE, { metadata, rules } as never);
  await admin.create(BINDING, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
  } as never);
  return async () => {
    await admin.remove(BINDING, metadata);
    await admin.remove(ROLE, metadata);
  };
}
