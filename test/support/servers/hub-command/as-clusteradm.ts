// What clusteradm does at a hub that runs by `cappstan hub`: tokens to register with, and sets.
import { dirname, join } from 'node:path';
import type { Condition } from '../../../../crds/capp/conditions.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import type { HubStarted } from './started-hub.ts';

/** Makes the token on the hub. Returns a client of the cluster that registers with it. */
export async function registering(
  { kube, dir, api }: HubStarted,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<Kube> {
  await kube.create(SECRET, {
    metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:managedcluster',
    },
  });
  const kubeconfig = join(dirname(dir), 'site.kubeconfig');
  await writeKubeconfig(kubeconfig, {
    cluster: 'hub',
    server: `https://127.0.0.1:${api}`,
    ca: join(dir, 'cert', 'ca.crt'),
    credential: { token: `${id}.${secret}` },
  });
  return connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
}

/** Whether an object has a condition of this status; undefined as long as it has not. */
export async function isSaid(
  { kube }: HubStarted,
  of: Resource,
  at: Key,
  type: string,
  status: string,
): Promise<true | undefined> {
  const found = await kube.get<KubeObject & { status?: { conditions?: Condition[] } }>(of, at);
  return found?.status?.conditions?.some((one) => one.type === type && one.status === status) === true
    ? true
    : undefined;
}

/** An object as clusteradm writes it. */
export const made = ({ apiVersion, kind }: Resource, metadata: object, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata, spec }) as unknown as KubeObject;
