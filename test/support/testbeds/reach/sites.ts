// A site of the reader's bed: its API server is real, its kubelet a stand-in, and OCM's agents come to it.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_DEFINITION } from '../../../../crds/definitions/definitions.ts';
import { NAMESPACE, NODE, POD, SECRET, type Pod } from '../../../../crds/kubernetes/core.ts';
import { ROLLOUT } from '../../../../crds/labels.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { READER_ACCOUNT } from '../../../../reach/names.ts';
import { KNATIVE_SERVICE_LABEL } from '../../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Cluster } from '../../servers/chart/chart.ts';
import { serve } from '../../servers/api/definitions.ts';
import { startKubelet, type StandInKubelet } from '../../servers/site/stand-in-kubelet.ts';
import { TEAM } from './capps.ts';
import type { Tunnel } from './tunnel.ts';

const ADD_ON: Resource = {
  apiVersion: 'addon.open-cluster-management.io/v1alpha1',
  kind: 'ManagedClusterAddOn',
  plural: 'managedclusteraddons',
  namespaced: true,
};
const ACCOUNT: Resource = {
  apiVersion: 'authentication.open-cluster-management.io/v1beta1',
  kind: 'ManagedServiceAccount',
  plural: 'managedserviceaccounts',
  namespaced: true,
};
const SERVICE_ACCOUNT: Resource = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

export interface ReachSite {
  readonly name: string;
  readonly cluster: Cluster;
  readonly kubelet: StandInKubelet;
  /** The copy of the hub's Capp, as its work brings it. */
  copy(capp: Capp): Promise<void>;
  /** A Pod of the app that runs; labels are Knative's unless given. */
  pod(
    name: string,
    options?: { readonly app?: string; readonly labels?: Record<string, string> },
  ): Promise<void>;
}

/** Gives a site the add-on, the agents and the token by which the reader gets there. */
export async function joinSite(
  {
    hub,
    tunnel,
    options,
  }: { hub: Cluster; tunnel: Tunnel; options: { readonly enableImpersonation?: boolean } },
  site: ReachSite,
): Promise<void> {
  const { name, cluster } = site;
  await hub.kube.create(ADD_ON, {
    metadata: { namespace: name, name: 'cluster-proxy' },
    spec: {},
  } as KubeObject);
  await hub.kube.create(ACCOUNT, {
    metadata: { namespace: name, name: READER_ACCOUNT },
    spec: { rotation: {} },
  } as KubeObject);
  await tunnel.join(name, cluster, options);
  await eventually(() =>
    hub.kube.get(SECRET, { namespace: name, name: READER_ACCOUNT }).then((one) => one ?? undefined),
  );
}

/** A site with the chart's part for it, the team's namespace and one Node. */
export async function prepared(
  name: string,
  cluster: Cluster,
  chart: readonly KubeObject[],
): Promise<ReachSite> {
  const { kube } = cluster;
  const kubelet = await startKubelet();
  await serve(kube, CAPP_DEFINITION, CAPP);
  await applyObjects(
    kube,
    chart.filter(({ metadata }) => metadata.name.startsWith('cappstan-reader')),
  );
  await kube.create(NAMESPACE, { metadata: { name: TEAM } });
  await kube.create(SERVICE_ACCOUNT, { metadata: { namespace: TEAM, name: 'default' } });
  await kube.create(NODE, { metadata: { name: 'node' } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
  };
  await kube.patch(NODE, { namespace: null, name: 'node' }, { status }, { subresource: 'status' });
  return {
    name,
    cluster,
    kubelet,
    copy: async (capp) => {
      const { name: app, uid } = capp.metadata;
      const annotations = { [ROLLOUT]: `${uid}/1/hash/one` };
      await kube.create(CAPP, { ...capp, metadata: { namespace: TEAM, name: app, annotations } });
    },
    pod: (pod, { app = 'shop', labels = { [KNATIVE_SERVICE_LABEL]: app } } = {}) =>
      createPod(kube, pod, labels),
  };
}

async function createPod(kube: Kube, name: string, labels: Record<string, string>): Promise<void> {
  const containers = ['app', 'queue-proxy'].map((one) => ({ name: one, image: 'none' }));
  await kube.create(POD, {
    metadata: { namespace: TEAM, name, labels },
    spec: { nodeName: 'node', automountServiceAccountToken: false, containers },
  } as unknown as Pod & KubeObject);
  const running = { running: { startedAt: new Date().toISOString() } };
  const status = {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: containers.map((one) => ({
      ...one,
      imageID: '',
      ready: true,
      restartCount: 0,
      state: running,
    })),
  };
  await kube.patch(POD, { namespace: TEAM, name }, { status }, { subresource: 'status' });
}
