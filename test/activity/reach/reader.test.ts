// The reader on real API servers and OCM's real tunnel: who may read what, of which Pods, over two sites.
import { CAPP } from '../../../crds/capp/capp.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { pathTo } from '../../../reach/names.ts';
import { SERVICE_LABEL } from '../../../reach/pods.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';
import { TEAM } from '../../support/testbeds/reach/capps.ts';

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
  await bed.site('site-1').pod('other', { labels: { [SERVICE_LABEL]: 'other' } });
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
