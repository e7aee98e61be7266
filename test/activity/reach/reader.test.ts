// The reader on real API servers and OCM's real tunnel: who may read what, of which Pods, over two sites.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../../cli/program.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { MANAGED_SERVICE_ACCOUNT } from '../../../crds/ocm/managed-service-account.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { serve } from '../../support/servers/api/definitions.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { CappPodList } from '../../../reach/answer/pods.ts';
import { pathTo } from '../../../reach/names.ts';
import { KNATIVE_SERVICE_LABEL } from '../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';
import { TEAM } from '../../support/testbeds/reach/capps.ts';

/**
 * As metrics-server serves it, of a definition here: whether it may be read is the API server's own answer.
 */
const POD_METRICS: Resource = {
  apiVersion: 'metrics.k8s.io/v1beta1',
  kind: 'PodMetrics',
  plural: 'pods',
  namespaced: true,
};
const METRICS_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'pods.metrics.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
  },
  spec: {
    group: 'metrics.k8s.io',
    names: { kind: 'PodMetrics', listKind: 'PodMetricsList', plural: 'pods', singular: 'pod' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

let bed: ReachBed;
const kubes: Kube[] = [];
const as = async (user: string): Promise<Kube> => {
  const kube = connect({ kubeconfig: await bed.hub.kubeconfigAs(user, []), deadlineMs: 60_000 });
  kubes.push(kube);
  return kube;
};
const SHOP = { namespace: TEAM, name: 'shop' };
const log = async (kube: Kube, query = ''): Promise<string[]> =>
  String(await kube.raw('GET', `${pathTo(SHOP, 'log')}${query}`, { accept: '*/*' }))
    .split('\n')
    .filter(Boolean);

beforeAll(async () => {
  bed = await startReachBed(['site-1', 'site-2'], ['site-3']);
  const shop = await bed.capp('shop', ['site-1']);
  await bed.admit('tenant');
  for (const name of ['site-1', 'site-2']) await bed.site(name).copy(shop);
  await bed.site('site-1').pod('shop-1');
}, 900_000);
afterAll(async () => {
  await Promise.all(kubes.map((kube) => kube.close()));
  await bed?.stop();
}, 100_000);

test('a tenant reads the lines of the app, each with its site, Pod and time', async () => {
  const { kubelet } = bed.site('site-1');
  kubelet.write(`${TEAM}/shop-1/app`, 'one');
  kubelet.write(`${TEAM}/shop-1/app`, 'two');
  kubelet.write(`${TEAM}/shop-1/queue-proxy`, 'not of the app');
  const tenant = await as('tenant');
  const lines = await eventually(async () => {
    const found = await log(tenant);
    return found.length > 0 ? found : undefined;
  });
  expect(lines).toEqual([
    expect.stringMatching(/^site-1 shop-1\/app 20\S+Z one$/),
    expect.stringMatching(/^site-1 shop-1\/app 20\S+Z two$/),
  ]);
  expect(bed.faults).toEqual([]);
});

test('a stranger is refused by the API server, and so is who may read no logs', async () => {
  const stranger = await as('stranger');
  await expect(log(stranger)).rejects.toMatchObject({ code: 403 });
  await bed.admit('looker', ['cappstan-capp-view']);
  await expect(log(await as('looker'))).rejects.toMatchObject({ code: 403 });
});

test('who may read logs and not the Capp is refused by the reader', async () => {
  await bed.admit('half', ['cappstan-log-view']);
  await expect(log(await as('half'))).rejects.toMatchObject({ code: 403 });
  expect(bed.asked).toContain('half log shop refused');
});

test('only Pods that say that they are the app’s are told of', async () => {
  const { cluster } = bed.site('site-1');
  await bed.site('site-1').pod('other', { labels: { [KNATIVE_SERVICE_LABEL]: 'other' } });
  const list = (await (await as('tenant')).raw('GET', pathTo(SHOP, 'pods'))) as { items: object[] };
  expect(list).toMatchObject({ kind: 'CappPodList', missing: [] });
  expect(list.items).toEqual([
    expect.objectContaining({
      site: 'site-1',
      name: 'shop-1',
      phase: 'Running',
      ready: true,
      containers: ['app'],
    }),
  ]);
  expect(await cluster.kube.get(CAPP, SHOP)).not.toBeNull();
});

test('what Pods use is told where the site has a metrics API, by the right that the add-on brings', async () => {
  const tenant = await as('tenant');
  const ask = async () => (await tenant.raw('GET', `${pathTo(SHOP, 'pods')}?usage=true`)) as CappPodList;
  expect((await ask()).missing).toEqual([
    { site: 'site-1', why: expect.stringContaining('it has no metrics API') as string },
  ]);
  const { kube } = bed.site('site-1').cluster;
  await serve(kube, METRICS_DEFINITION, POD_METRICS);
  const labels = { [KNATIVE_SERVICE_LABEL]: 'shop' };
  await kube.create(POD_METRICS, {
    metadata: { namespace: TEAM, name: 'shop-1', labels },
    containers: [{ name: 'app', usage: { cpu: '7m', memory: '9Mi' } }],
  } as KubeObject);
  const found = await eventually(async () => {
    const { items, missing } = await ask();
    return missing.length === 0 ? items : undefined;
  });
  expect(found.map(({ name, usage }) => [name, usage])).toEqual([
    ['shop-1', [{ name: 'app', cpuMillis: 7, memoryBytes: 9 * 1024 * 1024 }]],
  ]);
});

test('a kubeconfig with an account of one’s own leads through the tunnel, with the rights that the site gives', async () => {
  const { hub, tunnel } = bed;
  const place = { namespace: 'site-1', name: 'dana' };
  await hub.kube.create(MANAGED_SERVICE_ACCOUNT, { metadata: place, spec: { rotation: {} } } as KubeObject);
  await eventually(() => hub.kube.get(SECRET, place).then((one) => one ?? undefined));
  const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  const [file, authority] = [join(folder, 'site-1'), join(folder, 'ca.crt')];
  await writeFile(authority, tunnel.ca);
  const { terminal, notes } = aTerminal();
  const from = ['--server', tunnel.url, '--certificate-authority', authority, '--kubeconfig', hub.kubeconfig];
  const args = ['kubeconfig', 'site-1', '--save', file, ...from];
  expect(await run({ args, name: 'cappstan', version: 'test' }, terminal)).toBe(0);
  const kubectl = (...words: string[]) => promisify(execFile)('kubectl', ['--kubeconfig', file, ...words]);
  await expect(kubectl('get', 'pods', '-n', TEAM)).rejects.toThrow(
    /system:serviceaccount:\S+:dana" cannot list/,
  );
  // The line that the command gives for it, on the site; nobody there fills the role view.
  const [, line = ''] = /: kubectl (create clusterrolebinding .+)\.$/.exec(notes.at(-1) ?? '') ?? [];
  await promisify(execFile)('kubectl', [
    '--kubeconfig',
    bed.site('site-1').cluster.kubeconfig,
    ...line.replace('=view', '=system:aggregate-to-view').split(' '),
  ]);
  const { stdout } = await kubectl('get', 'pods', '-n', TEAM, '-o', 'name');
  expect(stdout).toContain('pod/shop-1');
  await rm(folder, { recursive: true });
});

test('a site without a tunnel is one sentence, and no line of the others is missing', async () => {
  await bed.move('shop', ['site-1', 'site-3']);
  const tenant = await as('tenant');
  const lines = await log(tenant);
  expect(lines).toContain(
    '# No direct way to site-3: cluster-proxy is not installed there; everything else works (docs/logs.md).',
  );
  expect(lines).toHaveLength(3);
  await bed.move('shop', ['site-3']);
  await expect(log(tenant)).rejects.toMatchObject({ code: 503 });
  await bed.move('shop', ['site-1']);
});
