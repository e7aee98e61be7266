// A hub with the reader as the chart installs it, and sites that it reaches through OCM's tunnel. Real are
// the API servers, cluster-proxy, konnectivity and managed-serviceaccount; only a site's kubelet is a
// stand-in.
import { dirname, join } from 'node:path';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_DEFINITION } from '../../../../crds/definitions/definitions.ts';
import { NAMESPACE, NODE, POD, ROLE_BINDING, SECRET, type Pod } from '../../../../crds/kubernetes/core.ts';
import { ROLLOUT } from '../../../../crds/labels.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import { readManifests } from '../../../../deploy/local/kubernetes/manifests.ts';
import { moduleFiles } from '../../../../deploy/local/programs/tools.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { API_SERVICE } from '../../../../reach/door/publish.ts';
import { READER_ACCOUNT, REACH_SERVICE } from '../../../../reach/names.ts';
import { SERVICE_LABEL } from '../../../../reach/pods.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aCapp } from '../../builders/capps.ts';
import { forHub, forSite, installAll, startCluster, type Cluster } from '../../servers/chart.ts';
import { serve } from '../../servers/definitions.ts';
import { startKubelet, type StandInKubelet } from '../../servers/stand-in-kubelet.ts';
import { readerHere, readerProcess, type ReaderPlace, type Told } from './readers.ts';
import { buildTunnel, startTunnel, type Tunnel } from './tunnel.ts';

export const TEAM = 'team-a';
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

export interface ReachBed {
  readonly hub: Cluster;
  readonly site: (name: string) => ReachSite;
  readonly tunnel: Tunnel;
  /** Of the reader. */
  readonly port: number;
  /** Cuts all streams of the reader off. */
  restart(): Promise<void>;
  /** What the reader has told its process. */
  readonly asked: string[];
  readonly faults: unknown[];
  /** Of the reader's process. */
  log(): string;
  /** A Capp on the hub, on these sites. */
  capp(name: string, sites: readonly string[]): Promise<Capp>;
  move(name: string, sites: readonly string[]): Promise<void>;
  /** Lets a user read Capps, and their logs and Pods, in the team's namespace, by the chart's roles. */
  admit(user: string, roles?: readonly string[]): Promise<void>;
  /** Takes away what `admit` has given. */
  dismiss(user: string, roles?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

interface BedOptions {
  readonly enableImpersonation?: boolean;
  /** The reader is a process of its own, as the chart starts it. */
  readonly asProcess?: boolean;
}

/** Sites of `withTunnel` have add-on, agents and token; the others have none. */
export async function startReachBed(
  withTunnel: readonly string[],
  without: readonly string[] = [],
  options: BedOptions = {},
): Promise<ReachBed> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    const world = await startWorld([...withTunnel, ...without], stops);
    const { hub, tunnel, sites } = world;
    const joining = sites.filter(({ name }) => withTunnel.includes(name));
    await Promise.all(joining.map((site) => joinSite({ hub, tunnel, options }, site)));
    const told: Told = { begun: [], asked: [], faults: [], log: '' };
    const start = () => (options.asProcess === true ? readerProcess : readerHere)(world, told);
    let reader = await start();
    stops.push(() => reader.close());
    await eventually(() => available(hub.kube));
    return {
      ...world,
      ...told,
      log: () => told.log,
      restart: async () => {
        await reader.close();
        reader = await start();
      },
      site: (name) => sites.find((one) => one.name === name) as ReachSite,
      ...capps(hub.kube),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Clusters, the tunnel's end on the hub, and what the chart has of the reader, whose port is chosen. */
async function startWorld(
  names: readonly string[],
  stops: (() => Promise<unknown>)[],
): Promise<ReaderPlace & { readonly sites: readonly ReachSite[] }> {
  await buildTunnel();
  const [hub, ...clusters] = await Promise.all([
    startCluster('hub'),
    ...names.map(() => startCluster('site')),
  ]);
  stops.push(() => Promise.all([hub, ...clusters].map((one) => one.stop())));
  const chart = await forHub({ ...VALUES, 'reader.install': 'true', 'reader.userServer.caSecretName': 'x' });
  await applyObjects(
    hub.kube,
    await readManifests(moduleFiles('open-cluster-management.io/managed-serviceaccount')),
  );
  for (const name of [...names, TEAM]) await hub.kube.create(NAMESPACE, { metadata: { name } });
  const tunnel = await startTunnel(hub);
  stops.push(() => tunnel.stop());
  const sites = await Promise.all(
    names.map((name, index) => prepared(name, clusters[index] as Cluster, forSite(chart))),
  );
  stops.push(() => Promise.all(sites.map(({ kubelet }) => kubelet.stop())));
  const port = await (await openPorts(join(dirname(hub.kubeconfig), 'ports.json'))).of('reader');
  await installAll(
    hub.kube,
    chart.filter((one) => isOfReader(one)).map((one) => onLoopback(one, port)),
  );
  return { hub, tunnel, sites, port };
}

const BOTH: readonly string[] = ['cappstan-capp-view', 'cappstan-log-view'];
const VALUES = { 'gateway.address': 'gateway.example:443' };
const OF_READER = /^(?:cappstan-reader|cappstan-log-view|cappstan-capp-view|v1alpha1\.reach\.rcs\.dana\.io)$/;

function isOfReader({ kind, metadata: { name } }: KubeObject): boolean {
  if (kind === 'Deployment' || kind === 'PodDisruptionBudget') return false;
  return kind === 'Namespace' || name === 'capps.rcs.dana.io' || OF_READER.test(name);
}

/** No kube-proxy runs here: the Service leads to this machine by its name. */
function onLoopback(object: KubeObject, port: number): KubeObject {
  const { spec } = object as { spec?: { service?: object } };
  if (object.kind === 'Service')
    return { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } } as KubeObject;
  if (object.kind !== 'APIService') return object;
  return { ...object, spec: { ...spec, service: { ...spec?.service, port } } } as KubeObject;
}

async function available(kube: Kube): Promise<true | undefined> {
  const found = await kube.get<
    KubeObject & { status?: { conditions?: { status: string; message: string }[] } }
  >(API_SERVICE, { namespace: null, name: REACH_SERVICE });
  const [condition] = found?.status?.conditions ?? [];
  if (condition?.status === 'True') return true;
  throw new Error(`The APIService is not available: ${condition?.message}`);
}

async function joinSite(
  { hub, tunnel, options }: { hub: Cluster; tunnel: Tunnel; options: BedOptions },
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

async function prepared(name: string, cluster: Cluster, chart: readonly KubeObject[]): Promise<ReachSite> {
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
    pod: (pod, { app = 'shop', labels = { [SERVICE_LABEL]: app } } = {}) => createPod(kube, pod, labels),
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

function capps(kube: Kube): Pick<ReachBed, 'capp' | 'move' | 'admit' | 'dismiss'> {
  const move = async (name: string, sites: readonly string[]): Promise<void> => {
    const roles = ['Serving', 'Leaving'];
    const status = { sites: sites.map((clusterName, index) => ({ clusterName, role: roles[index] })) };
    await kube.patch(CAPP, { namespace: TEAM, name }, { status }, { subresource: 'status' });
  };
  return {
    move,
    capp: async (name, sites) => {
      const { spec } = aCapp({ name });
      const made = await kube.create(CAPP, { metadata: { namespace: TEAM, name }, spec } as unknown as Capp);
      await move(name, sites);
      return made;
    },
    dismiss: async (user, roles = BOTH) => {
      for (const role of roles) await kube.remove(ROLE_BINDING, { namespace: TEAM, name: `${user}-${role}` });
    },
    admit: async (user, roles = BOTH) => {
      for (const role of roles)
        await applyObjects(kube, [
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'RoleBinding',
            metadata: { namespace: TEAM, name: `${user}-${role}` },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
          } as KubeObject,
        ]);
    },
  };
}
