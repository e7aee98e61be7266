// Turns of a Bundle on a real API server: what is shipped, left alone, removed and said; twice, late, and
// beside somebody's own work.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { EVENT, type Event } from '../../../../crds/kubernetes/core.ts';
import { ABANDON, BUNDLE_FINALIZER, BUNDLE_REVISION, requestedBy } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aConfigMap, aDeployment } from '../../../support/builders/fleet/bundles.ts';
import { joinSites, sayReachable } from '../../../support/testbeds/join/joined-sites.ts';
import { applied, seen, workKey } from '../../../support/testbeds/fleet/bundle-works.ts';
import { sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { bundleTurns, NOTHING } from '../../../support/testbeds/fleet/bundle-turns.ts';

let stage: HubForTests;

beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, ['site-1', 'site-2', 'site-3']);
}, 300_000);
afterAll(() => stage?.stop());

async function reachable(name: string, status: 'True' | 'Unknown'): Promise<void> {
  await sayReachable(stage.kube, name, status);
  await sameClusters(stage);
}
const { activities, make, read, reasonOf, refOf, turn, work } = bundleTurns(() => stage);

test('a Bundle is shipped after its finalizer is there, is Ready when its site says so, and then nothing is written', async () => {
  await make('whole');
  expect(await turn('whole')).toMatchObject({ outcome: 'Turned', isMore: false });
  expect((await read('whole')).status).toMatchObject({ sites: 1, ready: 0 });
  expect(await reasonOf('whole')).toBe('Shipping');
  expect((await read('whole')).metadata.finalizers).toEqual([BUNDLE_FINALIZER]);
  await applied(stage, 'whole');
  expect(await turn('whole')).toMatchObject({ outcome: 'Turned', wakeAt: null });
  expect(await reasonOf('whole')).toBe('Ready');
  const before = [await read('whole'), await work('whole')].map((one) => one?.metadata.resourceVersion);
  await turn('whole');
  expect([await read('whole'), await work('whole')].map((one) => one?.metadata.resourceVersion)).toEqual(
    before,
  );
  expect((await read('whole')).status).toMatchObject({ readyOfSites: '1/1', observedGeneration: 1 });
});

test('a site that is taken out with another edit is cleaned up when that is ready elsewhere, and the edit keeps the work', async () => {
  await make('edited', { sites: { clusters: ['site-1', 'site-2'] }, strategy: { maxConcurrent: '100%' } });
  await turn('edited');
  for (const site of ['site-1', 'site-2']) await applied(stage, 'edited', site);
  const first = await work('edited');
  const spec = { sites: { clusters: ['site-1'] }, manifests: [aConfigMap({ color: 'blue' })] };
  await stage.kube.patch(BUNDLE, { namespace: APPS, name: 'edited' }, { spec });
  await turn('edited');
  const after = await work('edited');
  expect(after?.metadata.uid).toBe(first?.metadata.uid);
  expect(after?.spec?.workload.manifests?.[0]).toMatchObject({ data: { color: 'blue' } });
  expect((await work('edited', 'site-2'))?.metadata.deletionTimestamp).toBeUndefined();
  await applied(stage, 'edited');
  await turn('edited');
  expect((await work('edited', 'site-2'))?.metadata.deletionTimestamp).toBeDefined();
  expect((await read('edited')).status).toMatchObject({ readyOfSites: '1/1', leaving: ['site-2'] });
});

test('a late try that has read an older Bundle undoes nothing of its successor', async () => {
  await make('late');
  await turn('late');
  await seen(stage, 'late');
  const { metadata } = await read('late');
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'late' },
    { spec: { manifests: [aConfigMap({ color: 'old' })] } },
  );
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const slow: Kube = {
    ...stage.kube,
    within: () => slow,
    get: async (resource, key, options) => {
      const found = await stage.kube.get(resource, key, options);
      if (resource.kind !== BUNDLE.kind) return found as never;
      reached.resolve();
      await held.promise;
      return found as never;
    },
  };
  const zombie = turn('late', slow);
  await reached.promise;
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'late' },
    { spec: { manifests: [aConfigMap({ color: 'new' })] } },
  );
  await turn('late');
  const successors = await work('late');
  await seen(stage, 'late');
  held.resolve();
  await zombie.catch(() => undefined);
  // It has not even written and been put right again.
  expect((await work('late'))?.metadata.resourceVersion).toBe(successors?.metadata.resourceVersion);
  expect((await work('late'))?.spec?.workload.manifests?.[0]).toMatchObject({ data: { color: 'new' } });
  expect((await read('late')).status?.observedGeneration).toBe((metadata.generation ?? 0) + 2);
});

test("somebody's own work with the name of a Bundle's stays as it is, and the Bundle says so", async () => {
  const { apiVersion, kind } = MANIFEST_WORK;
  const own = { apiVersion, kind, metadata: workKey('mine'), spec: { workload: { manifests: [] } } };
  const { metadata } = await stage.kube.create<ManifestWork>(MANIFEST_WORK, own);
  await make('mine');
  const first = await turn('mine');
  if (first.outcome === 'Turned' && first.isMore) await turn('mine');
  expect(await reasonOf('mine')).toBe('NameTaken');
  await stage.kube.remove(BUNDLE, { namespace: APPS, name: 'mine' });
  expect(await turn('mine')).toEqual({ outcome: 'Gone' });
  expect((await work('mine'))?.metadata.resourceVersion).toBe(metadata.resourceVersion);
});

const nobody = { namespace: 'kube-system', name: 'strongest' };
test.each<[string, (work: ManifestWork) => object]>([
  ['manifests', () => ({ workload: { manifests: [aConfigMap({ color: 'green' }), aDeployment()] } })],
  ['executor', () => ({ executor: { subject: { type: 'ServiceAccount', serviceAccount: nobody } } })],
  ['deleteOption', () => ({ deleteOption: { propagationPolicy: 'Orphan' } })],
  [
    'rules',
    ({ spec }) => ({
      manifestConfigs: spec?.manifestConfigs?.map(({ resourceIdentifier }) => ({ resourceIdentifier })),
    }),
  ],
])('what somebody changes of the %s in a work is shipped again; the revision stays', async (what, change) => {
  const name = `tampered-${what.toLowerCase()}`;
  await make(name, { manifests: [aConfigMap(), aDeployment()] });
  let patches = 0;
  const patch = ((...all: Parameters<Kube['patch']>) => {
    if (all[0].kind === MANIFEST_WORK.kind) patches += 1;
    return stage.kube.patch(...all);
  }) as Kube['patch'];
  await turn(name, { ...stage.kube, patch });
  // What the hub's API server fills in is not noted by another write.
  expect(patches).toBe(0);
  const before = (await work(name)) as ManifestWork;
  await seen(stage, name);
  await turn(name, { ...stage.kube, patch });
  expect(patches).toBe(0);
  await stage.kube.patch(MANIFEST_WORK, workKey(name), { spec: change(before) });
  await seen(stage, name);
  await turn(name);
  const live = await work(name);
  expect(live?.spec).toEqual(before.spec);
  expect(live?.metadata.annotations?.[BUNDLE_REVISION]).toBe(before.metadata.annotations?.[BUNDLE_REVISION]);
});

test('a deleted Bundle waits for its sites, names a lost one, and is gone when a person gives that up', async () => {
  await make('lost', { sites: { clusters: ['site-2'] } });
  await turn('lost');
  await applied(stage, 'lost', 'site-2');
  await stage.kube.remove(BUNDLE, { namespace: APPS, name: 'lost' });
  expect(await turn('lost')).toMatchObject({ outcome: 'Turned' });
  expect((await read('lost')).status?.leaving).toEqual(['site-2']);
  await reachable('site-2', 'Unknown');
  expect(await turn('lost')).toMatchObject({ outcome: 'Turned' });
  expect(await reasonOf('lost')).toBe('SiteLost');
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'lost' },
    { metadata: { annotations: { [ABANDON]: 'site-2', [requestedBy(ABANDON)]: 'alice' } } },
  );
  expect(await turn('lost')).toEqual({ outcome: 'Gone' });
  const { items } = await stage.kube.list<Event>(EVENT, { namespace: APPS });
  expect(items.filter(({ reason }) => reason === 'SiteAbandoned').map(({ note }) => note)).toEqual([
    expect.stringContaining('alice gave it up by annotation rcs.dana.io/abandon'),
  ]);
  expect(await work('lost', 'site-2')).toBeNull();
  expect(await stage.kube.get(BUNDLE, { namespace: APPS, name: 'lost' })).toBeNull();
  await reachable('site-2', 'True');
});

test('a turn with caches older than its ring does nothing', async () => {
  const ask = { ...NOTHING, minimumVersions: { ManifestWork: '9999999999' } };
  expect(await activities().turnFleet(refOf('whole'), ask)).toEqual({
    outcome: 'Behind',
  });
});
