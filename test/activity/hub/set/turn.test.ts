// One look after the other at a set on a real API server: which Capps are written, when, with what, and what
// is never overwritten or taken over.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SET, SET_FINALIZER, SET_REVISION, SHARED_HOSTNAME } from '../../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { SET_REVISION_KIND } from '../../../../crds/set/set-revision.ts';
import { aTemplate, CONTAINERS, imageOf, says } from '../../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  lookerAt,
  setOn,
  type Looker,
} from '../../../support/testbeds/fleet/looker.ts';

let stage: HubForTests;
const CLUSTERS = ['site-1', 'site-2', 'site-3'];
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, CLUSTERS);
}, 300_000);
afterAll(() => stage?.stop());

const namespace = 'apps';
const readSet = (name: string): Promise<CappSet> => setOn(stage, name);
const childrenOf = (set: string): Promise<Capp[]> => childrenOn(stage, set);
const begin = (name: string, spec: object): Promise<Looker> => beginSet(stage, name, spec);

test('a set writes a Capp for each site, pinned there, with its placeholders filled in, and then nothing more', async () => {
  const template = {
    metadata: { labels: { app: 'shop' } },
    spec: {
      ...aTemplate('shop:1').spec,
      routeSpec: { hostname: '{{site}}.shop.example' },
    },
  };
  const overrides = [
    { clusterSelector: { matchLabels: { tier: 'canary' } }, patch: { spec: { state: 'disabled' } } },
  ];
  const shop = await begin('shop', {
    sites: { clusters: ['site-1', 'site-2'] },
    template,
    overrides,
    strategy: { maxConcurrent: '100%' },
  });
  await shop.look();
  const [one, two] = await childrenOf('shop');
  expect(one).toMatchObject({
    metadata: { name: 'shop-site-1', labels: { app: 'shop' } },
    spec: { site: 'site-1', state: 'disabled', routeSpec: { hostname: 'site-1.shop.example' } },
  });
  expect(two).toMatchObject({ spec: { site: 'site-2', state: 'enabled' } });
  const set = await readSet('shop');
  expect(set.metadata.finalizers).toEqual([SET_FINALIZER]);
  expect(one?.metadata.ownerReferences).toMatchObject([{ kind: 'CappSet', uid: set.metadata.uid }]);
  expect(one?.metadata.annotations?.[SHARED_HOSTNAME]).toBeUndefined();
  for (const name of ['shop-site-1', 'shop-site-2']) await says(stage.kube, name, 'Serving');
  await shop.look();
  const ready = await readSet('shop');
  expect(ready.status).toMatchObject({ readySites: '2/2', sites: 2, ready: 2 });
  expect(ready.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));

  const before = await childrenOf('shop');
  await shop.look();
  const rebuilt = lookerAt(stage, 'shop');
  await rebuilt.look();
  expect(rebuilt.memory).toEqual(shop.memory);
  expect((await readSet('shop')).metadata.resourceVersion).toBe(ready.metadata.resourceVersion);
  expect(await childrenOf('shop')).toEqual(before);
});

test('an edited template goes to the canary first, and a failed canary stops it there by name', async () => {
  const canary = { name: 'canary', sites: { matchLabels: { tier: 'canary' } } };
  const spec = { sites: { clusters: CLUSTERS }, strategy: { stages: [canary], maxConcurrent: '100%' } };
  const staged = await begin('staged', spec);
  await staged.look();
  await says(stage.kube, 'staged-site-1', 'Serving');
  await staged.look();
  for (const site of ['site-2', 'site-3']) await says(stage.kube, `staged-${site}`, 'Serving');
  await staged.look();
  await stage.kube.patch(CAPP_SET, { namespace, name: 'staged' }, { spec: { template: aTemplate('bad:2') } });
  await staged.look();
  expect((await childrenOf('staged')).map(imageOf)).toEqual([
    'bad:2',
    CONTAINERS[0]?.image,
    CONTAINERS[0]?.image,
  ]);
  await says(stage.kube, 'staged-site-1', 'RolloutFailed');
  await staged.look();
  const { status } = await readSet('staged');
  expect(status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'SitesFailed' }),
  );
  expect(status?.failing).toMatchObject([{ site: 'site-1', capp: 'staged-site-1', reason: 'RolloutFailed' }]);
  expect((await childrenOf('staged')).filter((one) => imageOf(one) === 'bad:2')).toHaveLength(1);
  const { items } = await stage.kube.list(SET_REVISION_KIND, { namespace, labelSelector: `${SET}=staged` });
  expect(items).toHaveLength(2);
});

test('a foreign Capp of the name is not taken over, and what a person changed is not overwritten', async () => {
  const foreign = await stage.make({ name: 'mine-site-1' });
  const mine = await begin('mine', {
    sites: { clusters: ['site-1', 'site-2'] },
    strategy: { maxConcurrent: '100%', maxFailures: '100%' },
  });
  await mine.look();
  await mine.look();
  const untouched = await stage.read(foreign);
  expect(untouched.metadata.ownerReferences).toBeUndefined();
  expect(untouched.spec.site).toBeUndefined();
  expect((await readSet('mine')).status?.failing).toContainEqual(
    expect.objectContaining({ site: 'site-1', reason: 'NameTaken' }),
  );

  const key = { namespace, name: 'mine-site-2' };
  await stage.kube.patch(CAPP, key, {
    spec: aTemplate('hotfix').spec,
  });
  await stage.kube.patch(CAPP_SET, { namespace, name: 'mine' }, { spec: { template: aTemplate('new:2') } });
  await mine.look();
  await mine.look();
  expect(imageOf((await stage.kube.get<Capp>(CAPP, key)) as Capp)).toBe('hotfix');
  expect((await readSet('mine')).status?.failing).toContainEqual(
    expect.objectContaining({ site: 'site-2', reason: 'Overridden' }),
  );
});

test('a set that is deleted deletes its Capps first, and is gone after them', async () => {
  const gone = await begin('gone', { sites: { clusters: ['site-1'] } });
  await gone.look();
  const [child] = await childrenOf('gone');
  expect(child?.metadata.annotations?.[SET_REVISION]).toBeTruthy();
  const key = { namespace, name: 'gone-site-1' };
  await stage.kube.patch(CAPP, key, { metadata: { finalizers: ['example.com/hold'] } });
  await stage.kube.remove(CAPP_SET, { namespace, name: 'gone' });
  await gone.look();
  expect((await childrenOf('gone'))[0]?.metadata.deletionTimestamp).toBeDefined();
  await gone.look();
  expect((await readSet('gone')).metadata.finalizers).toEqual([SET_FINALIZER]);
  await stage.kube.patch(CAPP, key, { metadata: { finalizers: null } });
  await expect(gone.look()).rejects.toThrow('the set is Gone');
  expect(await stage.kube.get(CAPP_SET, { namespace, name: 'gone' })).toBeNull();
});
