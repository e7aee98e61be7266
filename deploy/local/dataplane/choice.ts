// Who answers the requests to a site's apps and runs their Pods: stand-ins, or with DATAPLANE=real Knative's
// own parts, Kourier and Envoy.
import type { Kube } from '../../../kube/client.ts';
import type { Foundation, LocalCluster } from '../kubernetes/cluster.ts';
import { domainOfSite, installKnative, knativeProcess } from '../kubernetes/knative.ts';
import { buildTools } from '../programs/build.ts';
import { fetchEnvoy } from '../programs/envoy.ts';
import { toolPath } from '../programs/tools.ts';
import { DATAPLANE_MODULE } from '../programs/optional-modules.ts';
import { ingressHost } from '../standins/ingress/address.ts';
import { installStandIns, standInsProcess } from '../standins/process.ts';
import type { Address, ProcessSpec } from '../supervise/process-spec.ts';
import type { Progress } from '../terminal.ts';
import { requireNamespaces } from './network/namespaces.ts';
import { installDataPlane, REAL_SETTINGS } from './parts/install.ts';
import { dataPlaneProcess } from './process.ts';

export type DataPlaneName = 'stand-in' | 'real';

/** Reads the variable DATAPLANE; null when it is not set. Throws for an unknown value. */
export function dataPlaneFrom(text: string | undefined): DataPlaneName | null {
  if (text === undefined || text === '') return null;
  if (text === 'stand-in' || text === 'real') return text;
  throw new Error(`DATAPLANE=${text} is neither "stand-in" nor "real". Set it to one of them, or unset it.`);
}

export interface DataPlane {
  /** Makes sure that this machine can run it, and builds and downloads what it needs. */
  prepare(progress: Progress): Promise<void>;
  /** Applies Knative and its settings to a site. Safe to repeat. */
  install(kube: Kube, place: SitePlace): Promise<void>;
  /** The processes of a site, to start after `install`. */
  processes(place: SitePlace): Promise<ProcessSpec[]>;
}

export interface SitePlace {
  readonly cluster: LocalCluster;
  readonly foundation: Foundation;
  /** The port of every site's ingress. */
  readonly ingressPort: number;
}

export const DATA_PLANES: Readonly<Record<DataPlaneName, DataPlane>> = {
  'stand-in': {
    prepare: () => Promise.resolve(),
    install: async (kube, { cluster: { name } }) => {
      await installKnative(kube, { domain: domainOfSite(name) });
      await installStandIns(kube);
    },
    processes: async (place) => [knativeOf(place), await standInsOf(place, addressOf(place))],
  },
  real: {
    prepare: async (progress) => {
      await requireNamespaces();
      await fetchEnvoy(progress);
      await buildTools(progress, [DATAPLANE_MODULE]);
    },
    install: async (kube, { cluster: { name }, foundation: { ports } }) => {
      await installKnative(kube, { domain: domainOfSite(name), more: REAL_SETTINGS });
      await installStandIns(kube);
      await installDataPlane(kube, await ports.of(webhookOf(name)));
    },
    processes: async (place) => [
      knativeOf(place),
      await standInsOf(place, null),
      await dataPlaneOf(place, addressOf(place)),
    ],
  },
};

const webhookOf = (site: string): string => `${site}-knative-webhook`;

function addressOf({ cluster: { name }, ingressPort }: SitePlace): Address {
  return { host: ingressHost(name), port: ingressPort };
}

function knativeOf({ cluster: { name: cluster, kubeconfig } }: SitePlace): ProcessSpec {
  return knativeProcess({ cluster, binary: toolPath('knative-controller'), kubeconfig });
}

async function standInsOf(place: SitePlace, ingress: Address | null): Promise<ProcessSpec> {
  const { name: cluster, kubeconfig } = place.cluster;
  const { layout, ports } = place.foundation;
  const port = await ports.of(`${cluster}-stand-ins`);
  const nodePort = await ports.of(`${cluster}-node`);
  const mounts = { identity: layout.identityOf(cluster), proxy: layout.proxyOf(cluster) };
  return standInsProcess({ cluster, kubeconfig, port, nodePort, ...mounts, ingress });
}

async function dataPlaneOf({ cluster, foundation }: SitePlace, ingress: Address): Promise<ProcessSpec> {
  const { name, kubeconfig, url } = cluster;
  const { layout, pki, ports } = foundation;
  return dataPlaneProcess({
    cluster: name,
    kubeconfig,
    url,
    pki,
    dir: layout.dataOf(`${name}-data-plane`),
    logs: layout.logs,
    ports: { health: await ports.of(`${name}-data-plane`), webhook: await ports.of(webhookOf(name)) },
    ingress,
  });
}
