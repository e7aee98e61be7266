// Our own part of the stack: the chart on the hub, the add-on that OCM takes to every site, and beside them the processes.
//
// No Pod runs on this machine. Each Deployment of ours is real, and the process that it stands for runs beside it, with that
// Deployment's command and environment and its ServiceAccount's rights.
import { NAMESPACE, type Namespace } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { installChart, RELEASE_NAMESPACE } from './chart.ts';
import type { Foundation, LocalCluster } from '../kubernetes/cluster.ts';
import { awaitDeployment } from './deployment.ts';
import { ourProcess, processName, webhookPort, type Component } from './processes.ts';
import type { ProcessSpec } from '../supervise/process-spec.ts';
import { serviceAccountKubeconfig } from '../kubernetes/service-account.ts';

/** The chart's default for what it installs on sites. */
const SITE_NAMESPACE = 'open-cluster-management-agent-addon';
const DELIVERED_WITHIN_MS = 60_000;

export interface OurPart {
  readonly foundation: Foundation;
  readonly hub: LocalCluster;
  readonly sites: readonly LocalCluster[];
  readonly temporalAddress: string;
  /** Set for every process of ours, over what its Deployment says: knobs for tests. */
  readonly env: Readonly<Record<string, string>>;
}

interface Place {
  readonly cluster: LocalCluster;
  readonly namespace: string;
  readonly component: Component;
}

/** Installs the chart and says what to run. Safe to repeat. Throws when OCM does not bring a site its Deployments. */
export async function ourPart(part: OurPart): Promise<ProcessSpec[]> {
  const { foundation, hub, sites, temporalAddress } = part;
  const values = {
    'temporal.address': temporalAddress,
    // It listens on loopback only.
    'temporal.allowInsecure': 'true',
    'addon.install': String(sites.length > 0),
    'webhook.url': `https://127.0.0.1:${await webhookPort(foundation.ports)}`,
  };
  await withKube(hub, async (kube) => installChart(kube, { ...values, hubId: await identityOf(kube) }));
  const places: Place[] = [
    ...(['bridge', 'hub', 'webhook'] as const).map((component) => ({ cluster: hub, namespace: RELEASE_NAMESPACE, component })),
    ...sites.flatMap((cluster) => (['agent', 'site'] as const).map((component) => ({ cluster, namespace: SITE_NAMESPACE, component }))),
  ];
  return Promise.all(places.map((place) => asDeployed(part, place)));
}

async function asDeployed({ foundation, env }: OurPart, { cluster, namespace, component }: Place): Promise<ProcessSpec> {
  const { layout, pki, ports } = foundation;
  return withKube(cluster, async (kube) => {
    const key = { namespace, name: `cappstan-${component}` };
    const asked = await awaitDeployment(kube, key, { cluster: cluster.name, timeoutMs: DELIVERED_WITHIN_MS });
    const kubeconfig = await serviceAccountKubeconfig(kube, {
      namespace,
      name: asked.serviceAccount,
      cluster: cluster.name,
      server: cluster.url,
      ca: pki.authority.cert,
      file: layout.dataOf(`${processName(component, cluster.name)}.kubeconfig`),
    });
    const nodeFlags = asked.command.filter((word) => word.startsWith('--'));
    return ourProcess({ component, cluster: cluster.name, kubeconfig, nodeFlags, env: { ...asked.env, ...env } }, ports);
  });
}

/** As `helm install` finds it, which asks the cluster. */
async function identityOf(hub: Kube): Promise<string> {
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
