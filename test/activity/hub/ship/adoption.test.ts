// Adopting what the Go operator has shipped, from recorded works, on a real API server: there is one work at
// every moment, and it changes only when the Capp does.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { ADOPTED, CAPP_KEY, CAPP_UID, MANAGED_BY, ROLLOUT } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { hashedWorkName, workName } from '../../../../crds/ocm/work-identity.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  goCapp,
  goWork,
  leaveWork,
  manifestOf,
  recordedWork,
} from '../../../support/builders/manifests/go-operator.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { saidToMove } from '../../../support/testbeds/hub/moving.ts';

const TEAM = 'team-a';
let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await stage.kube.create(NAMESPACE, { metadata: { name: TEAM } });
}, 300_000);
afterAll(() => stage?.stop());

const keyOf = (name: string) => ({ namespace: 'site-1', name: workName(TEAM, name) });
const workOf = async (name: string): Promise<ManifestWork> => {
  const found = await stage.kube.get<ManifestWork>(MANIFEST_WORK, keyOf(name));
  if (found === null) throw new Error(`There is no work of ${name}`);
  return found;
};

/** A Capp that the Go operator has shipped to site-1. */
async function left(name: string): Promise<{ ref: CappRef; work: ManifestWork }> {
  const work = await leaveWork(stage.kube, await goWork({ namespace: TEAM, name }, 'site-1'));
  const { metadata } = await goCapp(stage.kube, work);
  await eventually(() => (stage.caches.works.get(keyOf(name)) === undefined ? undefined : true));
  return { ref: { namespace: TEAM, name, uid: metadata.uid ?? '' }, work };
}

async function worksOf(name: string): Promise<string[]> {
  const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK);
  return items
    .filter((work) => JSON.stringify(work.spec).includes(`"name":"${name}"`))
    .map(({ metadata }) => metadata.name);
}

function stampOf(applied: unknown): string {
  return (applied as { stamp: string }).stamp;
}

/** The site's work agent reports that it has applied the present generation of the work. */
async function hears(key: { namespace: string; name: string }): Promise<void> {
  const { generation } = (await stage.kube.get(MANIFEST_WORK, key))?.metadata ?? {};
  const conditions = [
    { type: 'Applied', status: 'True', reason: 'Done', message: '', observedGeneration: generation },
  ];
  await stage.kube.patch(MANIFEST_WORK, key, { status: { conditions } }, { subresource: 'status' });
}

test('the recorded work has no labels or annotations', async () => {
  const { metadata } = await recordedWork();
  expect([metadata.labels, metadata.annotations]).toEqual([undefined, undefined]);
});

test("the Go operator's work is adopted by its name and the Capp that it carries, and only its metadata changes", async () => {
  const { ref, work } = await left('taken-over');
  const { applied } = await stage.ship(ref);
  const after = await workOf('taken-over');
  expect(applied).toMatchObject({ outcome: 'Applied', created: false });
  expect(stampOf(applied)).toBe(`${ref.uid}/1/adopted/${work.metadata.uid}`);
  expect([after.metadata.uid, after.metadata.generation, after.spec]).toEqual([
    work.metadata.uid,
    1,
    work.spec,
  ]);
  expect(after.metadata.labels).toMatchObject({
    [CAPP_KEY]: expect.any(String),
    [CAPP_UID]: ref.uid,
    [MANAGED_BY]: 'rcs',
  });
  expect(await worksOf('taken-over')).toEqual([workName(TEAM, 'taken-over')]);
});

test('a second apply of an adopted work writes nothing and returns the same stamp', async () => {
  const { ref } = await left('looked-at');
  const first = await stage.ship(ref);
  const work = await workOf('looked-at');
  const again = await stage.ship(ref, first.state);
  expect(stampOf(again.applied)).toBe(stampOf(first.applied));
  expect(await workOf('looked-at')).toEqual(work);
});

test('a later generation that changes nothing for the site does not change the adopted work', async () => {
  const { ref, work } = await left('moved-on');
  const { state } = await stage.ship(ref);
  await stage.kube.patch(CAPP, ref, { spec: { migration: { policy: 'Manual' } } });
  const { applied } = await stage.ship(ref, state);
  expect(stampOf(applied)).toBe(`${ref.uid}/2/adopted/${work.metadata.uid}`);
  expect((await workOf('moved-on')).spec).toEqual(work.spec);
});

test.each<[string, (ref: CappRef) => Promise<unknown>]>([
  ['edited', (ref) => stage.kube.patch(CAPP, ref, { spec: { scaleMetric: 'rps' } })],
  ['annotated', (ref) => stage.kube.patch(CAPP, ref, { metadata: { annotations: { team: 'one' } } })],
  [
    'given-another-secret',
    () =>
      stage.kube.patch(
        SECRET,
        { namespace: TEAM, name: 's0' },
        { data: { k: btoa(`turn ${Math.random()}`) } },
      ),
  ],
])('after an adoption a change is applied to the same work: the Capp is %s', async (name, change) => {
  const { ref, work } = await left(name);
  const { state } = await stage.ship(ref);
  await change(ref);
  const { applied } = await stage.ship(ref, state);
  const after = await workOf(name);
  expect(applied).toMatchObject({ outcome: 'Applied', created: false });
  expect(after.metadata.uid).toBe(work.metadata.uid);
  expect(after.metadata.annotations?.[ADOPTED]).toBeUndefined();
  expect(manifestOf(after, 'Capp').metadata.annotations?.[ROLLOUT]).toBe(stampOf(applied));
  expect(after.spec?.deleteOption?.propagationPolicy).toBe('SelectivelyOrphan');
  expect(await worksOf(name)).toEqual([workName(TEAM, name)]);
  await stage.kube.patch(
    SECRET,
    { namespace: TEAM, name: 's0' },
    { data: manifestOf(work, 'Secret')['data'] },
  );
});

test('an edit that came before the adoption is applied at once', async () => {
  const { ref } = await left('edited-before');
  await stage.kube.patch(CAPP, ref, { spec: { state: 'disabled' } });
  const { applied } = await stage.ship(ref);
  const carried = manifestOf(await workOf('edited-before'), 'Capp');
  expect(carried['spec']).toMatchObject({ state: 'disabled' });
  expect(carried.metadata.annotations?.[ROLLOUT]).toBe(stampOf(applied));
});

test('a work of the right name that carries another Capp is not adopted', async () => {
  const foreign = await goWork({ namespace: TEAM, name: 'another' }, 'site-1');
  const stranger = await leaveWork(stage.kube, {
    ...foreign,
    metadata: { ...foreign.metadata, name: workName(TEAM, 'not-mine') },
  });
  const { metadata } = await goCapp(
    stage.kube,
    await goWork({ namespace: TEAM, name: 'not-mine' }, 'site-1'),
  );
  const ref = { namespace: TEAM, name: 'not-mine', uid: metadata.uid ?? '' };
  expect((await stage.ship(ref)).applied).toMatchObject({ outcome: 'Applied', created: true });
  expect(await workOf('not-mine')).toEqual(stranger);
  await stage.kube.remove(CAPP, ref);
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect((await workOf('not-mine')).metadata.deletionTimestamp).toBeUndefined();
});

test('the deletion of a Capp deletes its adopted work and leaves the Namespace on the site', async () => {
  const { ref } = await left('gone-early');
  await stage.ship(ref);
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1'] });
  const told = await workOf('gone-early');
  expect(told.metadata.deletionTimestamp).toBeUndefined();
  expect(told.spec?.deleteOption?.selectivelyOrphans?.orphaningRules).toMatchObject([
    { resource: 'namespaces', name: TEAM },
  ]);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving' });
  expect((await workOf('gone-early')).metadata.deletionTimestamp).toBeUndefined();
  await hears(keyOf('gone-early'));
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await worksOf('gone-early')).toEqual([]);
});

describe('a Capp that has an adopted work and a second work with a hashed name', () => {
  const second = (name: string) => ({ namespace: 'site-1', name: hashedWorkName(TEAM, name) });

  /** A Capp with the Go operator's work and one of ours, which has the hashed name. */
  async function doubled(name: string): Promise<{ ref: CappRef; state: State; stamp: string }> {
    const { metadata } = await goCapp(stage.kube, await goWork({ namespace: TEAM, name }, 'site-1'));
    const ref = { namespace: TEAM, name, uid: metadata.uid ?? '' };
    const { applied } = await stage.ship(ref);
    const ours = await workOf(name);
    // The site has removed the objects of the first work.
    await stage.kube.patch(MANIFEST_WORK, keyOf(name), { metadata: { finalizers: null } });
    await stage.kube.remove(MANIFEST_WORK, keyOf(name));
    const { labels, annotations } = ours.metadata;
    await leaveWork(stage.kube, {
      ...ours,
      metadata: { ...second(name), labels, annotations },
    } as ManifestWork);
    await leaveWork(stage.kube, await goWork({ namespace: TEAM, name }, 'site-1'));
    await eventually(() =>
      stage.caches.works.get(second(name)) !== undefined && stage.caches.works.get(keyOf(name)) !== undefined
        ? true
        : undefined,
    );
    return { ref, state: aPlacing(ref), stamp: stampOf(applied) };
  }

  test('ends with one work, is never without one, and its site sees no change', async () => {
    const { ref, state, stamp } = await doubled('double');
    const { applied } = await stage.ship(ref, state);
    expect(stampOf(applied)).toBe(stamp);
    expect(manifestOf(await workOf('double'), 'Capp').metadata.annotations?.[ROLLOUT]).toBe(stamp);
    const spared = await stage.kube.get<ManifestWork>(MANIFEST_WORK, second('double'));
    expect(spared?.spec?.deleteOption?.propagationPolicy).toBe('Orphan');
    await stage.ship(ref, state);
    await hears(second('double'));
    await stage.ship(ref, state);
    expect((await worksOf('double')).length).toBe(2);
    await hears(keyOf('double'));
    await stage.ship(ref, state);
    expect(await worksOf('double')).toEqual([workName(TEAM, 'double')]);
  });

  test('leaves neither work on a site that it has left', async () => {
    const { ref } = await doubled('double-moved');
    await stage.kube.patch(CAPP, ref, { spec: { migration: { strategy: 'Recreate' } } });
    await saidToMove(stage, ref);
    const grounds = { staying: null, until: Infinity };
    expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: [], pending: ['site-1'] });
    await hears(keyOf('double-moved'));
    await stage.hub.remove(ref, ['site-1'], grounds);
    expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: [] });
    expect(await worksOf('double-moved')).toEqual([]);
  });

  test('leaves neither work when it is deleted', async () => {
    const { ref } = await doubled('double-gone');
    await stage.kube.remove(CAPP, ref);
    await stage.hub.retire(ref);
    await hears(keyOf('double-gone'));
    await stage.hub.retire(ref);
    expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
    expect(await worksOf('double-gone')).toEqual([]);
  });
});
