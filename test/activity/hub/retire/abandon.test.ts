// Works on a lost site, on a real API server: the hub names the site, keeps the work until a person abandons
// the copy, and then removes its finalizer.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { EVENT, type Event } from '../../../../crds/kubernetes/core.ts';
import { ABANDON, FINALIZER, requestedBy } from '../../../../crds/labels.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { initialState, type CappRef, type State } from '../../../../workflows/capp/state.ts';
import { aTemplate } from '../../../support/builders/fleet/sets.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aCopy } from '../../../support/builders/states.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  for (const name of ['site-1', 'site-2']) {
    await stage.kube.create(MANAGED_CLUSTER, {
      apiVersion: MANAGED_CLUSTER.apiVersion,
      kind: MANAGED_CLUSTER.kind,
      metadata: { name },
    });
  }
}, 300_000);
afterAll(() => stage?.stop());

async function isAvailable(name: string, status: 'True' | 'False' | 'Unknown'): Promise<void> {
  const facts = { reason: 'Test', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };
  const joined = { type: 'ManagedClusterJoined', status: 'True', ...facts };
  const conditions = [joined, { type: AVAILABLE, status, ...facts }];
  await stage.kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { status: { conditions } },
    { subresource: 'status' },
  );
}

/** Applies works to both sites, whose agents keep finalizers on them, and deletes the Capp. */
async function going(name: string, abandon?: string, finalizers?: readonly string[]): Promise<CappRef> {
  const ref = await stage.make({ name });
  for (const cluster of ['site-1', 'site-2']) {
    const copy = aCopy({ stamp: null, generation: 0, finding: null, work: null });
    const state: State = { ...initialState(ref), serving: cluster, copies: { [cluster]: copy } };
    await stage.hub.apply(ref, cluster, state, null);
    await stage.taken(ref, cluster);
    const key = { namespace: cluster, name: `mw-create-${APPS}-${name}` };
    await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: ['test/hold'] } });
  }
  if (abandon !== undefined) await giveUp(ref, abandon);
  if (finalizers !== undefined) await stage.kube.patch(CAPP, ref, { metadata: { finalizers } });
  await stage.kube.remove(CAPP, ref);
  return ref;
}

function giveUp(ref: CappRef, clusters: string): Promise<unknown> {
  return stage.kube.patch(CAPP, ref, { metadata: { annotations: { [ABANDON]: clusters } } });
}

async function abandonments(ref: CappRef): Promise<string[]> {
  await stage.events.queue.idle();
  const { items } = await stage.kube.list<Event>(EVENT, { namespace: APPS });
  return items
    .filter(({ reason, regarding }) => reason === 'CopyAbandoned' && regarding.uid === ref.uid)
    .map(({ note }) => note);
}

beforeEach(async () => {
  await isAvailable('site-1', 'True');
  await isAvailable('site-2', 'True');
});

test.each(['False', 'Unknown'] as const)(
  'with condition Available %s, retiring reports the site as lost and leaves the ManifestWork in place',
  async (status) => {
    const ref = await going(`waiting-${status.toLowerCase()}`);
    await isAvailable('site-1', status);
    const lost = {
      outcome: 'Leaving',
      clusters: ['site-1', 'site-2'],
      lost: { 'site-1': 'Unreachable' },
      givenUp: [],
    };
    expect(await stage.hub.retire(ref)).toEqual(lost);
    expect(await stage.hub.retire(ref)).toEqual(lost);
    expect(await stage.work(ref, 'site-1')).not.toBeNull();
  },
);

test('a work on a lost site is removed when a person abandons the copy: an Event says what may still run, and the other site is waited for', async () => {
  const ref = await going('lost', 'site-9, site-1');
  await isAvailable('site-1', 'Unknown');
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-2'] });
  expect([await stage.work(ref, 'site-1'), (await stage.work(ref, 'site-2')) === null]).toEqual([
    null,
    false,
  ]);
  const [note, ...more] = await abandonments(ref);
  expect([note, more]).toEqual([expect.stringContaining(`Capp ${APPS}/lost may still run on site-1`), []]);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-2'] });
  expect(await abandonments(ref)).toHaveLength(1);
});

test('the status keeps who abandoned which copy, as the webhook recorded them, and nobody else', async () => {
  const ref = await going('told', 'site-1,site-2', [FINALIZER, 'test/hold']);
  const by = { metadata: { annotations: { [requestedBy(ABANDON)]: 'alice' } } };
  await isAvailable('site-2', 'Unknown');
  await stage.hub.retire(ref);
  await stage.kube.patch(CAPP, ref, by);
  await isAvailable('site-1', 'Unknown');
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  const given = (await stage.kube.get<Capp>(CAPP, ref))?.status?.abandoned;
  expect(given?.map(({ site, by: user }) => [site, user])).toEqual([
    ['site-1', 'alice'],
    ['site-2', undefined],
  ]);
  const lines = stage.acts.filter(({ what }) => what.uid === ref.uid);
  expect(lines.map(({ act, who, what, result }) => [act, who, what.from, result])).toEqual([
    ['Abandon', { via: 'Annotation' }, 'site-2', 'Released'],
    ['Abandon', { via: 'Annotation', by: 'alice' }, 'site-1', 'Released'],
  ]);
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: null } });
});

test('of a Capp of a CappSet the status keeps who gave the site up on the set, and of no other site', async () => {
  const annotations = { [ABANDON]: 'site-1', [requestedBy(ABANDON)]: 'alice' };
  const spec = { sites: { clusters: ['site-1', 'site-2'] }, template: aTemplate('shop:v1') };
  const set = await stage.kube.create(CAPP_SET, {
    metadata: { name: 'shops', namespace: APPS, annotations },
    spec,
  } as unknown as CappSet);
  const ref = await going('of-a-set', 'site-1,site-2', [FINALIZER, 'test/hold']);
  const { apiVersion, kind } = CAPP_SET;
  const owner = { apiVersion, kind, name: 'shops', uid: set.metadata.uid, controller: true };
  await stage.kube.patch(CAPP, ref, { metadata: { ownerReferences: [owner] } });
  await isAvailable('site-1', 'Unknown');
  await isAvailable('site-2', 'Unknown');
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  const lines = stage.acts.filter(({ what }) => what.uid === ref.uid);
  expect(Object.fromEntries(lines.map(({ who, what }) => [what.from, who]))).toEqual({
    'site-1': { via: 'Annotation', by: 'alice' },
    'site-2': { via: 'Annotation' },
  });
  expect((await stage.kube.get<Capp>(CAPP, ref))?.status?.abandoned).toContainEqual(
    expect.objectContaining({ site: 'site-1', by: 'alice' }),
  );
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: null } });
});

test('a work on a reachable site stays, even if a person abandons the copy', async () => {
  const ref = await going('kept', 'site-1');
  expect(await stage.hub.retire(ref)).toMatchObject({
    outcome: 'Leaving',
    clusters: ['site-1', 'site-2'],
    givenUp: ['site-1'],
  });
  expect(await stage.work(ref, 'site-1')).not.toBeNull();
  expect(await abandonments(ref)).toEqual([]);
});

test('the abandon annotation may come while the Capp waits, and removing the last work removes the Capp', async () => {
  const ref = await going('late');
  await isAvailable('site-1', 'Unknown');
  await stage.kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'site-2' });
  expect(await stage.hub.retire(ref)).toMatchObject({ lost: { 'site-1': 'Unreachable', 'site-2': 'Gone' } });
  await giveUp(ref, 'site-1,site-2');
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await stage.kube.get(CAPP, ref)).toBeNull();
  const made = {
    apiVersion: MANAGED_CLUSTER.apiVersion,
    kind: MANAGED_CLUSTER.kind,
    metadata: { name: 'site-2' },
  };
  await stage.kube.create(MANAGED_CLUSTER, made);
});

test('for a Capp that is not being deleted, only works that are being deleted are abandoned', async () => {
  const ref = await stage.make({ name: 'alive' });
  for (const cluster of ['site-1', 'site-2']) {
    const state: State = {
      ...initialState(ref),
      serving: cluster,
      copies: { [cluster]: aCopy({ stamp: null, finding: null }) },
    };
    await stage.hub.apply(ref, cluster, state, null);
    await stage.taken(ref, cluster);
    const key = { namespace: cluster, name: `mw-create-${APPS}-alive` };
    await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: ['test/hold'] } });
  }
  await giveUp(ref, 'site-1,site-2');
  await isAvailable('site-1', 'Unknown');
  await isAvailable('site-2', 'Unknown');
  await stage.kube.remove(MANIFEST_WORK, { namespace: 'site-1', name: `mw-create-${APPS}-alive` });
  expect(await stage.hub.find(ref, ['site-1', 'site-2'])).toEqual({
    works: [{ cluster: 'site-2', leaving: false }],
    lost: { 'site-1': 'Unreachable' },
    given: ['site-1'],
  });
  expect(await stage.hub.find(ref, ['site-1'])).toEqual({ works: [], lost: {}, given: [] });
  expect((await stage.work(ref, 'site-2'))?.metadata.deletionTimestamp).toBeUndefined();
  expect(await abandonments(ref)).toHaveLength(1);
});
