// Two releases of the chart of a hub, deploy/helm-hub, in two namespaces of one API server, with what a
// controller of a cluster makes in each namespace.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CONFIG_MAP, NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { startApiServer } from '../api/api-server.ts';
import { podIn, renderHub, type HubPod } from './hub-chart.ts';

export interface TwoReleases {
  /** For the test's own files; it is removed at the end. */
  readonly folder: string;
  /** A client of the API server's administrator. */
  readonly kube: Kube;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The API server's URL. */
  readonly server: string;
  /** PEM of the authority that the release in hubs-a was given. */
  readonly authority: string;
  /** Ports of the hub in hubs-a. */
  readonly doors: { readonly api: number; readonly gateway: number };
  /** The objects of each, by namespace: hubs-a with a LoadBalancer, hubs-b with NodePorts. */
  readonly releases: ReadonlyMap<string, KubeObject[]>;
  /** That of the hub in hubs-a. */
  readonly pod: HubPod;
  close(): Promise<void>;
}

/** They make the Pods and volumes of StatefulSets, and take away what belonged to what is gone. */
const CONTROLLERS = ['statefulset-controller', 'garbage-collector-controller'];

export async function twoReleases(): Promise<TwoReleases> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-chart-'));
  const cluster = await startApiServer({ controllers: CONTROLLERS });
  const { kubeconfig } = cluster;
  const kube = connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
  const close = async (): Promise<void> => {
    await kube.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { folder, kube, kubeconfig, close, ...(await installed(folder, kube, known(kubeconfig))) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function installed(
  folder: string,
  kube: Kube,
  { server, ca }: ReturnType<typeof known>,
): Promise<Omit<TwoReleases, 'folder' | 'kube' | 'kubeconfig' | 'close'>> {
  const ports = await openPorts(join(folder, 'ports.json'));
  const doors = { api: await ports.of('api'), gateway: await ports.of('gateway') };
  const pki = await openPki(join(folder, 'given'));
  const files = { 'apiserver.ca': pki.authority.cert, 'apiserver.cakey': join(folder, 'given', 'ca.key') };
  const first = await renderHub({ name: 'hub', namespace: 'hubs-a', values: balanced(doors), files });
  const second = await renderHub({ name: 'hub', namespace: 'hubs-b', values: ON_NODES });
  const releases = new Map([
    ['hubs-a', first],
    ['hubs-b', second],
  ]);
  for (const [namespace, objects] of releases) {
    await kube.create(NAMESPACE, { metadata: { name: namespace } });
    const metadata = { namespace, name: 'kube-root-ca.crt' };
    await kube.create(CONFIG_MAP, { metadata, data: { 'ca.crt': ca } });
    await applyObjects(kube, objects);
  }
  const authority = readFileSync(pki.authority.cert, 'utf8');
  return { server, authority, doors, releases, pod: podIn(first) };
}

/** The URL of the server of a kubeconfig, and PEM of its authority. */
export function known(kubeconfig: string): { readonly server: string; readonly ca: string } {
  const { clusters } = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  };
  const [{ cluster }] = clusters;
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString();
  return { server: cluster.server, ca };
}

function balanced(doors: TwoReleases['doors']): Record<string, string> {
  return {
    'loadbalancer.enabled': 'true',
    'apiserver.externalHostname': '127.0.0.1',
    'apiserver.externalPort': String(doors.api),
    'gateway.externalPort': String(doors.gateway),
  };
}

const ON_NODES = {
  'nodeport.enabled': 'true',
  'nodeport.port': '31443',
  'apiserver.externalHostname': 'b.example',
};
