// A hub API server with the API groups off that multicluster-controlplane's has off, but for one: all our
// processes of a hub run on it, and what they cannot do is said in a sentence. It has no Deployments, so the
// processes are started from those that the chart would make.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CORE_SERVICE, CUSTOM_RESOURCE_DEFINITION, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { settingsIn } from '../../../deploy/local/cappstan/deployment.ts';
import {
  cappstanProcess,
  processName,
  webhookPort,
  type Component,
} from '../../../deploy/local/cappstan/processes.ts';
import { applyObjects, ourManifests } from '../../../deploy/local/kubernetes/apply.ts';
import { serviceAccountKubeconfig } from '../../../deploy/local/kubernetes/service-account.ts';
import { openPorts, type Ports } from '../../../deploy/local/supervise/ports.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';
import { beginServer, endServer } from '../../support/servers/api/server-process.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import { known } from '../../support/servers/chart/two-releases.ts';
import { role } from '../../support/testbeds/metal/metal.ts';
import { CONTROL_PLANE } from '../../support/testbeds/metal/served-room.ts';
import { makeServed, makeServedHost } from '../../support/testbeds/metal/sip-services.ts';

/** Without networking.k8s.io/v1 a kube-apiserver of 1.35 ends by itself after a minute. */
const OFF = ['apps/v1', 'autoscaling/v1', 'autoscaling/v2', 'batch/v1', 'node.k8s.io/v1', 'policy/v1'];
const FLAG = `--runtime-config=${[...OFF, 'scheduling.k8s.io/v1'].map((group) => `${group}=false`).join(',')}`;
/** They wait for kinds of these groups, and multicluster-controlplane's does not have them. */
const PLUGINS = '--disable-admission-plugins=Priority,RuntimeClass';
const ON_HUB = ['bridge', 'gateway', 'hub', 'webhook', 'notifier'] as const satisfies readonly Component[];
const NO_DEPLOYMENTS =
  'The hub does not serve Deployments of apps/v1, so no load balancer and no jump host is made. It is tried again each minute.';
/** Where load balancers may be made. */
const SERVED = 'metal';

let folder: string;
let cluster: Cluster;
let temporal: TemporalForTests;
let ports: Ports;
let chart: readonly KubeObject[];
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groups-off-'));
  ports = await openPorts(join(folder, 'ports.json'));
  cluster = await startCluster('hub', { flags: [FLAG, PLUGINS] });
  temporal = await startTemporal();
  await applyObjects(cluster.kube, await ourManifests('baremetalhost'));
  chart = await forHub({
    'temporal.address': temporal.address,
    'gateway.install': 'true',
    'gateway.address': '127.0.0.1:7443',
    'notifications.install': 'true',
    'metal.hosts': 'true',
    'metal.serviceNamespaces[0]': SERVED,
    'webhook.url': `https://127.0.0.1:${await webhookPort(ports)}`,
  });
  await installAll(cluster.kube, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SERVED } },
    ...chart.filter(({ apiVersion = '' }) => !OFF.includes(apiVersion)),
  ]);
}, 300_000);
afterAll(async () => {
  for (const child of running) await endServer(child);
  await temporal?.stop();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** As the Pod of its Deployment would run, with the rights of its account. */
async function start(component: Component): Promise<void> {
  const name = `cappstan-${component}`;
  const deployment = chart.find((one) => one.kind === 'Deployment' && one.metadata.name === name);
  const { serviceAccount, env } = settingsIn(deployment ?? { metadata: { name } });
  const kubeconfig = await serviceAccountKubeconfig(cluster.kube, {
    namespace: RELEASE_NAMESPACE,
    name: serviceAccount,
    cluster: 'hub',
    server: known(cluster.kubeconfig).server,
    ca: join(dirname(cluster.kubeconfig), 'pki', 'ca.crt'),
    file: join(folder, `${component}.kubeconfig`),
  });
  const process = { component, cluster: 'hub', kubeconfig, nodeFlags: [], env };
  const spec = await cappstanProcess(process, ports);
  running.push(await beginServer(spec, folder, spec.env));
}

test('the chart needs of these groups only what runs its Pods', () => {
  const needed = chart.filter(({ apiVersion = '' }) => OFF.includes(apiVersion)).map(({ kind }) => kind);
  expect(new Set(needed)).toEqual(new Set(['Deployment', 'PodDisruptionBudget']));
});

test('no server with these groups on has laid what it begins with', async () => {
  const own = await eventually(
    async () => (await cluster.kube.get(NAMESPACE, { namespace: null, name: 'kube-system' }))?.metadata,
  );
  const { items } = await cluster.kube.list(CUSTOM_RESOURCE_DEFINITION);
  const older = items.filter(({ metadata }) => versionOf(metadata) < versionOf(own));
  expect([items.length > 0, older.map(({ metadata }) => metadata.name)]).toEqual([true, []]);
});

function versionOf({ resourceVersion }: { readonly resourceVersion?: string }): number {
  return Number(resourceVersion);
}

test('every process starts, and a Capp is looked at', async () => {
  await Promise.all(ON_HUB.map(start));
  const key = { namespace: 'team', name: 'shop' };
  await cluster.kube.create(NAMESPACE, { metadata: { name: key.namespace } });
  await cluster.kube.create<Capp>(CAPP, capp(key));
  const placed = await eventually(async () => {
    const { status } = (await cluster.kube.get<Capp>(CAPP, key)) ?? {};
    return status?.conditions?.find(({ type }) => type === 'Placed');
  });
  expect(placed).toMatchObject({ status: 'False' });
});

test('a SIPCluster that asks for load balancers is told that there are no Deployments, and can be deleted', async () => {
  const { kube } = cluster;
  const ref = { namespace: SERVED, name: 'shop' };
  await makeServedHost(kube, SERVED, 'cp', { role: 'cp', address: '192.0.2.1' });
  const nodes = { ControlPlane: role(SERVED, 1, { flavor: 'cp' }) };
  await makeServed(kube, ref, nodes, {
    loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: 30_001 }],
  });
  await eventually(async () => {
    const { status } = (await kube.get<SipCluster>(SIP_CLUSTER, ref)) ?? {};
    const told = status?.conditions?.find(({ type }) => type === 'ServicesReady');
    return told?.status === 'False' && told.message === NO_DEPLOYMENTS ? true : undefined;
  });
  expect((await kube.list(CORE_SERVICE, { namespace: SERVED })).items).toEqual([]);
  await kube.remove(SIP_CLUSTER, ref);
  await eventually(async () => ((await kube.get(SIP_CLUSTER, ref)) === null ? true : undefined));
});

test('no process goes on complaining of a kind that is not there', () => {
  const logs = ON_HUB.map((one) => readFileSync(join(folder, `${processName(one, 'hub')}.log`), 'utf8'));
  expect(logs.join('\n')).not.toContain('could not find the requested resource');
});
