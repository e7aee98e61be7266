// Cappstan on the stack: the chart on the hub, the add-on that OCM brings to every site, and our processes.
//
// No Pod runs on this machine. For each of our Deployments the supervisor runs a process with the
// Deployment's command and environment, and with the rights of its ServiceAccount.
import { NAMESPACE, type Namespace } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { createMissing } from '../kubernetes/apply.ts';
import { argoNamespace, argoValues, type ArgoClusters } from './argo-clusters.ts';
import { installChart, RELEASE_NAMESPACE } from './chart.ts';
import type { Foundation, LocalCluster } from '../kubernetes/cluster.ts';
import { awaitDeployment, type Sought } from './deployment.ts';
import {
  cappstanProcess,
  gatewayPort,
  processName,
  readerPort,
  webhookPort,
  type Component,
} from './processes.ts';
import { atThisMachine, readerValues, withdrawReader, type ReaderWay } from './reader.ts';
import { ingressHost } from '../standins/ingress/address.ts';
import type { ProcessSpec } from '../supervise/process-spec.ts';
import { serviceAccountKubeconfig } from '../kubernetes/service-account.ts';

/** The chart's default for addon.installNamespace. */
const SITE_NAMESPACE = 'open-cluster-management-agent-addon';
const DELIVERED_WITHIN_MS = 60_000;

export interface CappstanOptions {
  readonly foundation: Foundation;
  readonly hub: LocalCluster;
  readonly sites: readonly LocalCluster[];
  readonly temporalAddress: string;
  /** The address of its web interface; empty if it has none. */
  readonly temporalUi: string;
  /** Overrides the environment of every Deployment of ours, for tests. */
  readonly env: Readonly<Record<string, string>>;
  /** Where agents find the gateway, if not on loopback: host:port, and the address on which it listens. */
  readonly gateway?: { readonly address: string; readonly bind: string };
  /**
   * Port of the sites' ingresses, which have addresses of their own; none where sites are not of this stack.
   */
  readonly ingressPort?: number;
  /** Where the registrar runs; if absent or null, it does not. */
  readonly argo?: ArgoClusters | null;
  /** By which way the reader goes to sites; if absent or null, it does not run. */
  readonly reader?: ReaderWay | null;
  /** More values of the chart. */
  readonly values?: Readonly<Record<string, string>>;
}

interface Place {
  readonly cluster: LocalCluster;
  readonly component: Component;
}

/**
 * Installs the chart, and returns the processes to run. Safe to repeat. Throws when OCM does not create the
 * Deployments on a site.
 */
export async function installCappstan(part: CappstanOptions): Promise<ProcessSpec[]> {
  const { foundation, hub, sites, temporalAddress, temporalUi } = part;
  const values = {
    'temporal.address': temporalAddress,
    'temporal.ui': temporalUi,
    'gateway.install': 'true',
    'gateway.address': part.gateway?.address ?? `127.0.0.1:${await gatewayPort(foundation.ports)}`,
    'gateway.replicas': '1',
    'addon.install': String(sites.length > 0),
    // For an RCSConfig with dns, and a provider that somebody brings.
    'dns.records': 'true',
    'webhook.url': `https://127.0.0.1:${await webhookPort(foundation.ports)}`,
    ...argoValues(part.argo ?? null),
    ...readerValues(part.reader ?? null),
    ...part.values,
  };
  await withKube(hub, async (kube) => {
    if (part.argo) await createMissing(kube, [argoNamespace(part.argo)]);
    if (!part.reader) await withdrawReader(kube);
    const door = await readerPort(foundation.ports);
    await installChart(kube, { ...values, hubId: await hubIdOf(kube) }, (one) => atThisMachine(one, door));
  });
  return cappstanProcesses(part);
}

/**
 * The processes of a chart that is installed. Writes their kubeconfigs again when a token ends within a
 * month. Safe to repeat.
 */
export async function cappstanProcesses(part: CappstanOptions): Promise<ProcessSpec[]> {
  const { hub, sites, values = {} } = part;
  const ofHub: Component[] = ['bridge', 'gateway', 'hub', 'webhook'];
  if (values['notifications.install'] === 'true') ofHub.push('notifier');
  if (part.reader) ofHub.push('reader');
  if (part.argo) ofHub.push('registrar');
  const places: Place[] = [
    ...ofHub.map((component) => ({ cluster: hub, component })),
    ...sites.flatMap((cluster) => (['agent', 'site'] as const).map((component) => ({ cluster, component }))),
  ];
  return Promise.all(places.map((place) => processOfDeployment(part, place)));
}

/** The process of one of our two Deployments on a site, which a hub has brought there. */
export function siteProcess(
  part: Pick<CappstanOptions, 'foundation' | 'env'>,
  cluster: LocalCluster,
  component: 'agent' | 'site',
): Promise<ProcessSpec> {
  return processOfDeployment(part, { cluster, component });
}

/** Where the Deployment of a component is. */
export function deploymentOf(component: Component): Sought {
  // Each hub of a site has its agent there; a site of the local stack has one hub.
  if (component === 'agent') return { namespace: SITE_NAMESPACE, name: 'cappstan-agent-', isPrefix: true };
  return {
    namespace: component === 'site' ? SITE_NAMESPACE : RELEASE_NAMESPACE,
    name: `cappstan-${component}`,
  };
}

type Around = Pick<CappstanOptions, 'foundation' | 'env' | 'gateway' | 'ingressPort' | 'argo' | 'reader'>;

async function processOfDeployment(around: Around, { cluster, component }: Place): Promise<ProcessSpec> {
  const { foundation, env, gateway } = around;
  const { layout, pki, ports } = foundation;
  const key = deploymentOf(component);
  const { namespace } = key;
  return withKube(cluster, async (kube) => {
    const settings = await awaitDeployment(kube, key, {
      cluster: cluster.name,
      timeoutMs: DELIVERED_WITHIN_MS,
    });
    const kubeconfig = await serviceAccountKubeconfig(kube, {
      namespace,
      name: settings.serviceAccount,
      cluster: cluster.name,
      server: cluster.url,
      ca: pki.authority.cert,
      file: layout.dataOf(`${processName(component, cluster.name)}.kubeconfig`),
    });
    const nodeFlags = settings.command.filter((word) => word.startsWith('--'));
    return cappstanProcess(
      {
        component,
        cluster: cluster.name,
        kubeconfig,
        nodeFlags,
        env: { ...settings.env, ...ownOf(around, { cluster, component }), ...env },
        ...(gateway === undefined ? {} : { gatewayBind: gateway.bind }),
      },
      ports,
    );
  });
}

/** Paths of the Pod, which are others here, and what an AddOnDeploymentConfig would say of this site. */
function ownOf(
  { foundation: { layout }, ingressPort, argo, reader }: Around,
  { cluster: { name }, component }: Place,
): Readonly<Record<string, string>> {
  if (component === 'registrar' && argo) return { USER_SERVER_CA_FILE: argo.authority };
  if (component === 'reader' && reader) return { USER_SERVER_CA_FILE: reader.authority };
  if (component !== 'agent') return {};
  return {
    GATEWAY_IDENTITY: layout.identityOf(name),
    HUB_PROXY: layout.proxyOf(name),
    ...(ingressPort === undefined ? {} : { INGRESS_HTTP: `${ingressHost(name)}:${ingressPort}` }),
  };
}

/** The chart's default for hubId, which needs a lookup in the cluster. */
async function hubIdOf(hub: Kube): Promise<string> {
  const namespace = await hub.get<Namespace>(NAMESPACE, { namespace: null, name: 'kube-system' });
  return namespace?.metadata.uid ?? '';
}

async function withKube<T>({ kubeconfig }: LocalCluster, work: (kube: Kube) => Promise<T>): Promise<T> {
  const kube = connect({ kubeconfig, userAgent: 'cappstan-local', deadlineMs: 30_000 });
  try {
    return await work(kube);
  } finally {
    await kube.close();
  }
}
