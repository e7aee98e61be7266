// What clusteradm does at a hub that runs by `cappstan hub`: tokens to register with, and sets.
import { dirname, join } from 'node:path';
import type { TokenText } from '../../../../crds/join/bootstrap-token.ts';
import type { Condition } from '../../../../crds/capp/conditions.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import {
  CLUSTER_SET_LABEL,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
} from '../../../../crds/ocm/placements.ts';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import type { HubStarted } from './started-hub.ts';

/** Makes the token on the hub. Returns a client of the cluster that registers with it. */
export async function registering(hub: HubStarted, { id, secret }: TokenText): Promise<Kube> {
  await hub.kube.create(SECRET, {
    metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:managedcluster',
    },
  });
  return visiting(hub, { id, secret });
}

/** A client of whoever has this token. */
export async function visiting({ dir, api }: HubStarted, { id, secret }: TokenText): Promise<Kube> {
  const kubeconfig = join(dirname(dir), `site-${id}.kubeconfig`);
  await writeKubeconfig(kubeconfig, {
    cluster: 'hub',
    server: `https://127.0.0.1:${api}`,
    ca: join(dir, 'cert', 'ca.crt'),
    credential: { token: `${id}.${secret}` },
  });
  return connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
}

/**
 * Makes the set, puts the cluster into it, and binds it to the namespace. In the end neither set nor binding
 * is there.
 */
export async function bindsASet(
  hub: HubStarted,
  { set, cluster, namespace }: { readonly set: string; readonly cluster: string; readonly namespace: string },
): Promise<void> {
  const { kube } = hub;
  const key = { namespace: null, name: set };
  const clusterSelector = { selectorType: 'ExclusiveClusterSetLabel' };
  await kube.create(MANAGED_CLUSTER_SET, made(MANAGED_CLUSTER_SET, { name: set }, { clusterSelector }));
  await eventually(() => isSaid(hub, MANAGED_CLUSTER_SET, key, 'ClusterSetEmpty', 'True'));
  // It writes back what it has read, with the label.
  await eventually(async () => {
    const path = `/apis/${MANAGED_CLUSTER.apiVersion}/managedclusters/${cluster}`;
    const live = (await kube.raw('GET', path)) as ManagedCluster;
    const labels = { ...live.metadata.labels, [CLUSTER_SET_LABEL]: set };
    await kube.raw('PUT', path, { body: { ...live, metadata: { ...live.metadata, labels } } });
    return true;
  });
  await eventually(() => isSaid(hub, MANAGED_CLUSTER_SET, key, 'ClusterSetEmpty', 'False'));
  const binding = { namespace, name: set };
  await kube.create(
    MANAGED_CLUSTER_SET_BINDING,
    made(MANAGED_CLUSTER_SET_BINDING, binding, { clusterSet: set }),
  );
  await eventually(() => isSaid(hub, MANAGED_CLUSTER_SET_BINDING, binding, 'Bound', 'True'));
  await kube.remove(MANAGED_CLUSTER_SET_BINDING, binding);
  await kube.remove(MANAGED_CLUSTER_SET, key);
}

/** Whether an object has a condition of this status; undefined as long as it has not. */
async function isSaid(
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
const made = ({ apiVersion, kind }: Resource, metadata: object, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata, spec }) as unknown as KubeObject;
