// What nobody gets from the reader: by a forged header, by a Pod's label, by the name of another hub's app,
// by many streams; and what its own accounts may not do.
import { readFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import { dirname, join } from 'node:path';
import { openHub } from '../../../cli/hub/connection/hub.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { openPki, type PairFiles } from '../../../deploy/local/kubernetes/pki.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { MOST_STREAMS } from '../../../reach/bounds.ts';
import { pathTo } from '../../../reach/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { accountOf, rightsOf } from '../../support/servers/api/rights.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';
import { TEAM } from '../../support/testbeds/reach/capps.ts';
import { ADDONS } from '../../support/testbeds/reach/tunnel-site.ts';

const SHOP = { namespace: TEAM, name: 'shop' };
const LOG = pathTo(SHOP, 'log');
let bed: ReachBed;
let tenant: Kube;
beforeAll(async () => {
  bed = await startReachBed(['site-1']);
  await bed.admit('tenant');
  const shop = await bed.capp('shop', ['site-1']);
  await bed.site('site-1').copy(shop);
  await bed.site('site-1').pod('shop-1');
  bed.site('site-1').kubelet.write(`${TEAM}/shop-1/app`, 'one');
  tenant = connect({ kubeconfig: await bed.hub.kubeconfigAs('tenant', []), deadlineMs: 60_000 });
  await eventually(() => tenant.raw('GET', LOG, { accept: '*/*' }).then(() => true as const));
}, 900_000);
afterAll(async () => {
  await tenant?.close();
  await bed?.stop();
}, 100_000);

/** Speaks to the reader itself, past the API server: the HTTP status, or why there is no connection. */
async function directly(
  path: string,
  pair: PairFiles | null,
  user = 'tenant',
  group = 'system:masters',
): Promise<number | string> {
  const shown = pair === null ? {} : { cert: await readFile(pair.cert), key: await readFile(pair.key) };
  const headers = { 'X-Remote-User': user, 'X-Remote-Group': group };
  const options: RequestOptions = { host: '127.0.0.1', port: bed.port, path, headers, ...shown };
  return new Promise((resolve) => {
    request({ ...options, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}

test('a header counts for nothing without the certificate of the API server', async () => {
  const pki = await openPki(join(dirname(bed.hub.kubeconfig), 'pki'));
  const own = await pki.requestHeader.issue('front-proxy', { name: 'front-proxy-client' });
  expect(await directly(LOG, own)).toBe(200);
  expect(await directly(LOG, null)).not.toBe(200);
  // A user of the hub, as known by a certificate of its authority; and another name under the right one.
  const user = await pki.issue('users/mallory', { name: 'front-proxy-client' });
  expect(await directly(LOG, user)).not.toBe(200);
  const other = await pki.requestHeader.issue('other', { name: 'somebody' });
  expect(await directly(LOG, other)).toBe(401);
  expect(await directly(LOG, own, '')).toBe(401);
});

test('the reader asks again, also where the API server would have let somebody in', async () => {
  const pki = await openPki(join(dirname(bed.hub.kubeconfig), 'pki'));
  const own = await pki.requestHeader.issue('front-proxy', { name: 'front-proxy-client' });
  expect(await directly(LOG, own, 'nobody', 'nobodies')).toBe(403);
  expect(await directly(LOG, own, 'tenant', 'nobodies')).toBe(200);
  const stranger = await bed.hub.as('stranger');
  expect(await stranger('POST', LOG)).toMatchObject({ code: 403 });
});

test('no path leads anywhere else, and exec is refused with a sentence', async () => {
  const admin = bed.hub.kube;
  const exec = await admin.raw('GET', LOG.replace(/log$/, 'exec')).catch((error: unknown) => error);
  expect(exec).toMatchObject({ code: 403 });
  for (const query of ['?site=..%2F..%2Fsite-2', '?container=a%2Fb', '?tailLines=-1', '?sinceTime=now'])
    await expect(admin.raw('GET', `${LOG}${query}`)).rejects.toMatchObject({ code: 400 });
});

test('what a site has under the name, and this hub has not shipped, is not told', async () => {
  const { kube } = bed.site('site-1').cluster;
  const before = await kube.get(CAPP, SHOP);
  const own = before?.metadata.annotations?.[ROLLOUT] ?? '';
  const annotate = (rollout: string | null): Promise<unknown> =>
    kube.patch(CAPP, SHOP, { metadata: { annotations: { [ROLLOUT]: rollout } } });
  for (const foreign of ['other-uid/1/hash/one', null]) {
    await annotate(foreign);
    await expect(tenant.raw('GET', LOG, { accept: '*/*' })).rejects.toMatchObject({ code: 503 });
    expect(await tenant.raw('GET', pathTo(SHOP, 'pods'))).toMatchObject({
      items: [],
      missing: [{ site: 'site-1', why: expect.stringContaining('not shipped by this hub') as string }],
    });
  }
  await annotate(own);
});

test('what is being followed ends when what the site has becomes another hub’s', async () => {
  const { cluster, kubelet } = bed.site('site-1');
  const before = await cluster.kube.get(CAPP, SHOP);
  const own = before?.metadata.annotations?.[ROLLOUT] ?? '';
  const annotate = (rollout: string): Promise<unknown> =>
    cluster.kube.patch(CAPP, SHOP, { metadata: { annotations: { [ROLLOUT]: rollout } } });
  const ending = new AbortController();
  const { transport } = openHub({ kubeconfig: await bed.hub.kubeconfigAs('tenant', []) }, {});
  const follow = { method: 'GET', path: `${LOG}?follow=true`, accept: '*/*' };
  let text = '';
  const reading = (async () => {
    const answer = await transport.open(follow, { signal: ending.signal, idleMs: 60_000 });
    for await (const chunk of answer) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  const told = (part: string): Promise<true> => eventually(() => (text.includes(part) ? true : undefined));
  await told('one');
  await annotate('other-uid/1/hash/one');
  await told('not shipped by this hub');
  const asked = kubelet.asked.length;
  await annotate(own);
  // Its own again: it is asked for again, so it had ended, and goes on behind the last line.
  kubelet.write(`${TEAM}/shop-1/app`, 'of this hub');
  await told('of this hub');
  expect(kubelet.asked.length).toBeGreaterThan(asked);
  ending.abort();
  await reading;
  await transport.close();
});

test('one user holds so many streams and no more, and others go on', async () => {
  const ending = new AbortController();
  const { transport } = openHub({ kubeconfig: await bed.hub.kubeconfigAs('tenant', []) }, {});
  const follow = { method: 'GET', path: `${LOG}?follow=true`, accept: '*/*' };
  const options = { signal: ending.signal, idleMs: 60_000 };
  await Promise.all(Array.from({ length: MOST_STREAMS.ofOne }, () => transport.open(follow, options)));
  await expect(tenant.raw('GET', LOG, { deadlineMs: 3_000, accept: '*/*' })).rejects.toMatchObject({
    code: 429,
  });
  // A list is no stream.
  expect(await tenant.raw('GET', pathTo(SHOP, 'pods'))).toMatchObject({ kind: 'CappPodList' });
  expect(await bed.hub.kube.raw('GET', pathTo(SHOP, 'pods'))).toMatchObject({ kind: 'CappPodList' });
  ending.abort();
  await transport.close();
  await eventually(() => tenant.raw('GET', LOG, { accept: '*/*' }).then(() => true as const));
});

test('its accounts have these rights on the hub and on a site, and no others', async () => {
  const onHub = rightsOf(bed.hub, accountOf(RELEASE_NAMESPACE, 'cappstan-reader'));
  expect(await onHub.listIn('site-1')).toEqual([
    'create subjectaccessreviews.authorization.k8s.io',
    'get capps.rcs.dana.io',
    'get managedclusteraddons.addon.open-cluster-management.io named cluster-proxy',
    'get patch apiservices.apiregistration.k8s.io named v1alpha1.reach.rcs.dana.io',
    'get secrets named cappstan-reader',
  ]);
  const own = 'get patch secrets named cappstan-reader-certificate';
  expect((await onHub.listIn(RELEASE_NAMESPACE)).filter((right) => / secrets/.test(right))).toEqual([
    own,
    'get secrets named cappstan-reader',
  ]);
  const onSite = rightsOf(bed.site('site-1').cluster, accountOf(ADDONS, 'cappstan-reader'));
  expect(await onSite.listIn(TEAM)).toEqual([
    'get capps.rcs.dana.io',
    'get pods/log',
    'list pods',
    'list pods.metrics.k8s.io',
  ]);
});
