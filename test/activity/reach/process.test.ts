// The reader as the chart starts it: it is found and trusted by the API server, says who asked, and keeps no
// line and no token.
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { pathTo, READER_ACCOUNT } from '../../../reach/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';
import { TEAM } from '../../support/testbeds/reach/capps.ts';

const CANARY = 'canary-in-a-line';
let bed: ReachBed;
beforeAll(async () => {
  bed = await startReachBed(['site-1'], [], { asProcess: true });
}, 900_000);
afterAll(async () => {
  await bed?.stop();
}, 100_000);

test('it tells what was asked, and its log only who asked', async () => {
  const shop = await bed.capp('shop', ['site-1']);
  const site = bed.site('site-1');
  await site.copy(shop);
  await site.pod('shop-1');
  site.kubelet.write(`${TEAM}/shop-1/app`, CANARY);
  const path = pathTo({ namespace: TEAM, name: 'shop' }, 'log');
  const text = await eventually(() => bed.hub.kube.raw('GET', path, { accept: '*/*' }).then(String));
  expect(text).toContain(CANARY);
  await eventually(() => (bed.log().includes('"msg":"asked"') ? true : undefined));
  expect(bed.log()).toContain('"user":"kubernetes-admin"');
  expect(bed.log()).toContain('"msg":"reading begins"');
  expect(bed.log()).not.toContain(CANARY);
  const secret = await bed.hub.kube.get<Secret>(SECRET, { namespace: 'site-1', name: READER_ACCOUNT });
  const token = Buffer.from(secret?.data?.['token'] ?? '', 'base64').toString();
  expect(token.length).toBeGreaterThan(100);
  expect(bed.log()).not.toContain(token.slice(0, 40));
});
