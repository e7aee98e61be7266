// What makes Capps run on a site of tests: our site operator, as the add-on brings it and with its rights;
// Knative's own controller; and the local stack's stand-ins for node, kubelet, autoscaler and ingress.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEPLOYMENT, POD } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION, KNATIVE_SERVICE } from '../../../../crds/kubernetes/knative.ts';
import { HUBS_OF_SITE } from '../../../../crds/site-hubs.ts';
import { askApp } from '../../../../deploy/local/cappstan/ask.ts';
import { deploymentOf } from '../../../../deploy/local/cappstan/addon.ts';
import { awaitDeployment } from '../../../../deploy/local/cappstan/deployment.ts';
import { cappstanProcess } from '../../../../deploy/local/cappstan/processes.ts';
import {
  appHost,
  domainOfSite,
  installKnative,
  knativeProcess,
} from '../../../../deploy/local/kubernetes/knative.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { ingressHost, ingressPort } from '../../../../deploy/local/standins/ingress/address.ts';
import { installStandIns, standInsProcess } from '../../../../deploy/local/standins/process.ts';
import { openPorts, type Ports } from '../../../../deploy/local/supervise/ports.ts';
import type { Address, ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { conditionOf, readCapp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { beginServer, endServer } from '../../servers/api/server-process.ts';
import type { Cluster } from '../../servers/chart/chart.ts';
import { SITE } from './hub-on-site.ts';

/** Kubernetes' own controllers that the site must have. */
export const CONTROLLERS = [
  'garbage-collector-controller',
  'deployment-controller',
  'replicaset-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
] as const;
/** What is there of a Capp that runs, beside what its hub has brought. */
export const OF_RUNNING = [KNATIVE_SERVICE, KNATIVE_REVISION, DEPLOYMENT, POD] as const;
const WAIT = { withinMs: 180_000, everyMs: 300 };

export interface RunningApps {
  /** Resolves when the site calls the Capp Ready, and it answers. */
  runs(key: { readonly namespace: string; readonly name: string }): Promise<void>;
  stop(): Promise<void>;
}

/** The add-on of a hub must be there. */
export async function runningApps(site: Cluster): Promise<RunningApps> {
  await installKnative(site.kube, { domain: domainOfSite(SITE) });
  await installStandIns(site.kube);
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-running-'));
  const ports = await openPorts(join(dir, 'ports.json'));
  const ingress = { host: ingressHost(SITE), port: await ingressPort(ports, [SITE]) };
  const running: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((child) => endServer(child)));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    for (const spec of await processesOn(site, { dir, ports, ingress }))
      running.push(await beginServer(spec, dir, spec.env));
  } catch (cause) {
    await stop();
    throw cause;
  }
  return { runs: (key) => answers(site, ingress, key), stop };
}

async function processesOn(
  { kube, kubeconfig, kubeconfigAs }: Cluster,
  { dir, ports, ingress }: { readonly dir: string; readonly ports: Ports; readonly ingress: Address },
): Promise<readonly ProcessSpec[]> {
  const sought = deploymentOf('site');
  const { env, serviceAccount } = await awaitDeployment(kube, sought, { cluster: SITE, timeoutMs: 60_000 });
  const { namespace } = HUBS_OF_SITE;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const operator = await kubeconfigAs(`system:serviceaccount:${namespace}:${serviceAccount}`, groups);
  return [
    knativeProcess({ cluster: SITE, binary: toolPath('knative-controller'), kubeconfig }),
    standInsProcess({
      cluster: SITE,
      kubeconfig,
      port: await ports.of('stand-ins'),
      nodePort: await ports.of('node'),
      identity: join(dir, 'identity'),
      proxy: join(dir, 'proxy'),
      ingress,
    }),
    await cappstanProcess(
      { component: 'site', cluster: SITE, kubeconfig: operator, nodeFlags: [], env },
      ports,
    ),
  ];
}

async function answers(
  { kube }: Cluster,
  ingress: Address,
  key: { readonly namespace: string; readonly name: string },
): Promise<void> {
  await eventually(async () => {
    const ready = conditionOf(await readCapp(kube, key), 'Ready');
    if (ready?.status !== 'True') throw new Error(`${key.namespace}/${key.name}: ${ready?.message}`);
    return true;
  }, WAIT);
  await eventually(async () => {
    const { status } = await askApp(ingress, appHost(key, SITE), 10_000);
    if (status !== 200) throw new Error(`${key.namespace}/${key.name} answers ${status}.`);
    return true;
  }, WAIT);
}
