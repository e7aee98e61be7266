// A copy without a work gets a work that carries nothing of the Capp's spec, and only where that is safe; on
// a real API server.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { TAKEN_UP } from '../../../../crds/labels.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import {
  AVAILABLE,
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  WORK_FINALIZER,
  type ManifestWork,
} from '../../../../crds/ocm/ocm.ts';
import { hubRetire } from '../../../../activities/hub/retire/retire.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  const { apiVersion, kind } = MANAGED_CLUSTER;
  for (const name of ['site-1', 'site-2'])
    await stage.kube.create(MANAGED_CLUSTER, { apiVersion, kind, metadata: { name } });
  await eventually(() => stage.caches.clusters.get({ namespace: null, name: 'site-2' }));
}, 300_000);
afterAll(() => stage?.stop());

test("the new work has our labels and the finalizer of the site’s work agent, and carries nothing of the Capp's spec", async () => {
  const ref = await stage.make({
    name: 'twin',
    container: { env: [{ name: 'CANARY', value: 'canary-value' }] },
  });
  await stage.ship(ref);
  expect(await stage.hub.takeUp(ref, 'site-2')).toEqual({ taken: true });
  const work = await stage.work(ref, 'site-2');
  expect(work?.metadata.finalizers).toEqual([WORK_FINALIZER]);
  expect(JSON.stringify(work)).not.toContain('canary-value');
  expect(work?.spec?.manifestConfigs).toEqual([
    {
      resourceIdentifier: { group: 'rcs.dana.io', resource: 'capps', namespace: ref.namespace, name: 'twin' },
      updateStrategy: { type: 'CreateOnly' },
    },
  ]);
  expect(await stage.hub.takeUp(ref, 'site-2')).toEqual({ taken: false });
  expect((await stage.hub.find(ref, ['site-2'])).works).toEqual([{ cluster: 'site-2', leaving: false }]);
});

test('no work is made on the Capp’s own site, for a Capp with another uid, or for one that is gone', async () => {
  const ref = await stage.make({ name: 'alone' });
  await stage.ship(ref);
  await stage.kube.remove(MANIFEST_WORK, { namespace: 'site-1', name: 'mw-create-apps-alone' });
  await stage.kube.patch(
    MANIFEST_WORK,
    { namespace: 'site-1', name: 'mw-create-apps-alone' },
    { metadata: { finalizers: null } },
  );
  expect(await stage.hub.takeUp(ref, 'site-1')).toEqual({ taken: false });
  expect(await stage.hub.takeUp({ ...ref, uid: 'another' }, 'site-2')).toEqual({ taken: false });
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: null } });
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.takeUp(ref, 'site-2')).toEqual({ taken: false });
  const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK, {});
  expect(items.filter(({ metadata }) => metadata.name.endsWith('-alone'))).toEqual([]);
});

test('a Capp that is being deleted gets the work too, and its retirement removes it', async () => {
  const ref = await stage.make({ name: 'leaving' });
  await stage.ship(ref);
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.takeUp(ref, 'site-2')).toEqual({ taken: true });
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await stage.work(ref, 'site-2')).toBeNull();
});

/** The cluster's work agent holds the Capp's work, and does not let it go. */
async function held({ name }: CappRef, cluster: string): Promise<void> {
  const key = { namespace: cluster, name: `mw-create-apps-${name}` };
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: [WORK_FINALIZER] } });
}

/** The site may write everything of a work of its own but the name. */
async function stripped(ref: CappRef): Promise<void> {
  const key = { namespace: 'site-2', name: `mw-create-apps-${ref.name}` };
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { annotations: null } });
}

async function joined(...sites: readonly string[]): Promise<void> {
  const conditions = ['HubAcceptedManagedCluster', 'ManagedClusterJoined', AVAILABLE].map((type) => ({
    type,
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime: new Date().toISOString(),
  }));
  for (const name of sites)
    await stage.kube.patch(
      MANAGED_CLUSTER,
      { namespace: null, name },
      { status: { conditions } },
      { subresource: 'status' },
    );
}

const finalizersOf = async (ref: CappRef): Promise<readonly string[] | null> =>
  (await stage.kube.get(CAPP, ref))?.metadata.finalizers ?? null;

test('a site that lies about a copy that has left holds up no deletion, whatever it writes on its work', async () => {
  await joined('site-1', 'site-2');
  const ref = await stage.make({ name: 'lied-about' });
  await stage.ship(ref);
  await stage.taken(ref);
  expect(await stage.hub.takeUp(ref, 'site-2')).toEqual({ taken: true });
  await stage.taken(ref, 'site-2');
  await stripped(ref);
  await stage.kube.remove(CAPP, ref);
  // The Capp's own site is waited for.
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1', 'site-2'] });
  expect(await finalizersOf(ref)).not.toBeNull();
  await stage.kube.patch(
    MANIFEST_WORK,
    { namespace: 'site-1', name: 'mw-create-apps-lied-about' },
    { metadata: { finalizers: null } },
  );
  await eventually(async () =>
    (await stage.hub.retire(ref), await finalizersOf(ref)) === null ? true : undefined,
  );
  // Its work is still being deleted, and looked after.
  expect((await stage.work(ref, 'site-2'))?.metadata.deletionTimestamp).toBeDefined();
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-2'] });
});

test('the site of the Capp is waited for, whatever its tenant notes of it', async () => {
  await joined('site-1', 'site-2');
  const ref = await stage.make({ name: 'noted-by-hand' });
  await stage.ship(ref);
  await stage.taken(ref);
  await held(ref, 'site-1');
  await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [TAKEN_UP]: 'site-1,site-2' } } });
  await stage.kube.remove(CAPP, ref);
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1'] });
  expect(await finalizersOf(ref)).not.toBeNull();
});

test('a copy that no cache shows is waited for, beside one that a site alone says it has', async () => {
  await joined('site-1', 'site-2');
  const ref = await stage.make({ name: 'unseen' });
  await stage.ship(ref);
  await held(ref, 'site-1');
  await stage.hub.takeUp(ref, 'site-2');
  await stage.taken(ref, 'site-2');
  const name = `mw-create-apps-${ref.name}`;
  await eventually(() => (stage.caches.works.by('name', name).length === 2 ? true : undefined));
  const by = (index: string, key: string) =>
    stage.caches.works.by(index, key).filter(({ metadata }) => metadata.namespace === 'site-2');
  const caches = { ...stage.caches, works: { ...stage.caches.works, by } };
  const { retire } = hubRetire({ kube: stage.kube, caches, audit: stage.audit });
  await stage.kube.remove(CAPP, ref);
  for (let tries = 0; tries < 3; tries += 1) await retire(ref);
  expect(await finalizersOf(ref)).not.toBeNull();
});

test('a site to which the Capp is shipped after all is waited for again', async () => {
  await joined('site-1', 'site-2');
  const ref = await stage.make({ name: 'comes-after-all' });
  const { state } = await stage.ship(ref);
  await stage.hub.takeUp(ref, 'site-2');
  expect((await stage.read(ref)).metadata.annotations?.[TAKEN_UP]).toBe('site-2');
  expect(await stage.hub.apply(ref, 'site-2', state, null)).toMatchObject({ outcome: 'Applied' });
  expect((await stage.read(ref)).metadata.annotations?.[TAKEN_UP]).toBeUndefined();
});
