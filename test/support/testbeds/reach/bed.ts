// A hub with the reader as the chart installs it, and sites that it reaches through OCM's tunnel. Real are
// the API servers, cluster-proxy, konnectivity and managed-serviceaccount; only a site's kubelet is a
// stand-in.
import { dirname, join } from 'node:path';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import { readManifests } from '../../../../deploy/local/kubernetes/manifests.ts';
import { moduleFiles } from '../../../../deploy/local/programs/tools.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { API_SERVICE } from '../../../../reach/door/publish.ts';
import { REACH_SERVICE } from '../../../../reach/names.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { forHub, forSite, installAll, startCluster, type Cluster } from '../../servers/chart/chart.ts';
import { hubCapps, TEAM, type HubCapps } from './capps.ts';
import { readerHere, readerProcess, type ReaderPlace, type Told } from './readers.ts';
import { joinSite, prepared, type ReachSite } from './sites.ts';
import { buildTunnel, startTunnel, type Tunnel } from './tunnel.ts';

export interface ReachBed extends HubCapps {
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
      ...hubCapps(hub.kube),
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

const VALUES = { 'gateway.address': 'gateway.example:443' };
const OF_READER =
  /^(?:cappstan-reader|cappstan-reader-certificate|cappstan-log-view|cappstan-capp-view|v1alpha1\.reach\.rcs\.dana\.io)$/;

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
