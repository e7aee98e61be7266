// What the test plays of a site that is made of hosts: who joins, and how its drain ends.
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { CLUSTER_INFO, clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import { DRAIN_DEFINITION } from '../../../../crds/definitions/definitions.ts';
import { CONFIG_MAP, NAMESPACE, type ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { ADD_ON } from '../../../../crds/ocm/add-on.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { AUTHORITY } from '../../builders/metal/authority.ts';
import { serve, serveBare } from '../../servers/api/definitions.ts';

/** OCM's kinds, Drains, and what a join line is made of. */
export async function serveSites(kube: Kube): Promise<void> {
  for (const resource of [MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK])
    await serveBare(kube, resource);
  await serve(kube, DRAIN_DEFINITION, DRAIN);
  await kube.create(NAMESPACE, { metadata: { name: CLUSTER_INFO.namespace } }).catch(() => undefined);
  await kube.create<ConfigMap>(
    CONFIG_MAP,
    clusterInfoMap({ server: 'https://hub.example:6443', ca: AUTHORITY }),
  );
}

/** The site has joined, and is available. */
export async function siteJoins(kube: Kube, name: string): Promise<void> {
  const key = { namespace: null, name };
  await kube.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: true } });
  const lastTransitionTime = new Date().toISOString();
  const conditions = [
    'HubAcceptedManagedCluster',
    'ManagedClusterJoined',
    'ManagedClusterConditionAvailable',
  ].map((type) => ({ type, status: 'True', reason: 'Test', message: '', lastTransitionTime }));
  await kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
}

/** The hub's add-on is there, and its Pods run. */
export async function addOnComes(kube: Kube, site: string): Promise<void> {
  await kube.create(NAMESPACE, { metadata: { name: site } });
  const metadata = { namespace: site, name: ADD_ON };
  await kube.create(MANAGED_CLUSTER_ADD_ON, { metadata, spec: {} } as KubeObject);
  const lastTransitionTime = new Date().toISOString();
  const conditions = [{ type: 'Available', status: 'True', reason: 'Test', message: '', lastTransitionTime }];
  await kube.patch(MANAGED_CLUSTER_ADD_ON, metadata, { status: { conditions } }, { subresource: 'status' });
}

/** Nothing of the hub's apps is on the site any more. */
export async function drainEnds(kube: Kube, name: string): Promise<void> {
  const key = { namespace: null, name };
  const drain = await kube.get(DRAIN, key);
  const complete = {
    type: 'Complete',
    status: 'True',
    reason: 'SiteEmpty',
    message: '',
    lastTransitionTime: new Date().toISOString(),
  };
  const status = { observedGeneration: drain?.metadata.generation, conditions: [complete] };
  await kube.patch(DRAIN, key, { status }, { subresource: 'status' });
}
