// The Go operator's placement annotation, on a real API server: it needs no write of its own, names the
// serving site, and does not influence placement.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { FINALIZER, HAS_PLACEMENT } from '../../../../crds/labels.ts';
import type { Kube } from '../../../../kube/client.ts';
import { capp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { countingRequests, type Counting } from '../../../support/testbeds/hub/counting.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const DECISIONS = 'list PlacementDecision';
const ROLLOUT = ['create CappRevision', 'create ManifestWork', 'get Capp', 'patch Capp', 'patch Capp'];

const counting = (): Counting => countingRequests(stage.kube);

/**
 * Without the decisions, which are read beside the Capp, and again if the cache had another version of it.
 */
const besidesDecisions = (asked: readonly string[]): string[] => {
  const lists = asked.filter((request) => request === DECISIONS);
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.length).toBeLessThan(3);
  return asked.filter((request) => request !== DECISIONS);
};

test('W10 W35 a first rollout is two reads and four small writes, and one of them sets the placement annotation', async () => {
  const ref = await stage.make({ name: 'noted' });
  await stage.kube.patch(CAPP, ref, {
    metadata: { annotations: { [HAS_PLACEMENT]: 'site-9', theirs: 'kept' } },
  });
  const { asked, kube } = counting();
  const applied = await hubApply({
    kube,
    ...warranted(stage.caches),
    events: stage.events,
    audit: stage.audit,
  }).apply(ref, 'site-1', aPlacing(ref), null);
  expect(applied).toMatchObject({ outcome: 'Applied' });
  const others = besidesDecisions(asked);
  expect(others.slice(0, 3)).toEqual(['get Capp', 'patch Capp', 'create ManifestWork']);
  expect(others.toSorted()).toEqual(ROLLOUT);
  const { metadata } = await stage.read(ref);
  expect(metadata.annotations).toEqual({ [HAS_PLACEMENT]: 'site-1', theirs: 'kept' });
  expect(metadata.generation).toBe(1);
});

test('where the finalizer is there already, the work is written first, and then annotation and history', async () => {
  const ref = await stage.make({ name: 'noted-beside' });
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: [FINALIZER] } });
  const { asked, kube } = counting();
  await hubApply({ kube, ...warranted(stage.caches), events: stage.events, audit: stage.audit }).apply(
    ref,
    'site-1',
    aPlacing(ref),
    null,
  );
  const others = besidesDecisions(asked);
  expect(others.toSorted()).toEqual(ROLLOUT);
  expect(others.slice(0, 2)).toEqual(['get Capp', 'create ManifestWork']);
  expect((await stage.read(ref)).metadata.annotations).toEqual({ [HAS_PLACEMENT]: 'site-1' });
});

test('the placement annotation is written before a work whose name another Capp shares', async () => {
  const namespace = `${APPS}-noted`;
  await stage.kube.create(NAMESPACE, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await stage.kube.create(CAPP, capp({ namespace, name: 'first' }));
  const ref = await stage.make({ name: 'noted-first' });
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: [FINALIZER] } });
  await eventually(() => stage.caches.capps.get({ namespace, name: 'first' }));
  const { asked, kube } = counting();
  await hubApply({ kube, ...warranted(stage.caches), events: stage.events, audit: stage.audit }).apply(
    ref,
    'site-1',
    aPlacing(ref),
    null,
  );
  const writes = asked.filter((request) => !/^(get|list)/.test(request));
  expect(writes).toEqual(['patch Capp', 'create ManifestWork', 'create CappRevision', 'patch Capp']);
  expect((await stage.read(ref)).metadata.annotations).toEqual({ [HAS_PLACEMENT]: 'site-1' });
});

test('where the Capp was changed meanwhile, everything is read again and one work exists', async () => {
  const ref = await stage.make({ name: 'noted-late' });
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: [FINALIZER] } });
  const { asked, kube } = counting();
  let isEdited = false;
  const edited: Kube = new Proxy(kube, {
    get: (target, verb: keyof Kube) => {
      if (verb === 'within') return () => edited;
      if (verb !== 'patch' || isEdited) return target[verb];
      return async (...args: Parameters<Kube['patch']>) => {
        isEdited = true;
        await stage.kube.patch(CAPP, ref, { metadata: { labels: { theirs: 'new' } } });
        return target.patch(...args);
      };
    },
  });
  const applied = await hubApply({
    kube: edited,
    ...warranted(stage.caches),
    events: stage.events,
    audit: stage.audit,
  }).apply(ref, 'site-1', aPlacing(ref), null);
  expect(applied).toMatchObject({ outcome: 'Applied' });
  expect(asked.filter((request) => request === 'create ManifestWork')).toHaveLength(1);
  expect((await stage.read(ref)).metadata.annotations).toEqual({ [HAS_PLACEMENT]: 'site-1' });
});

test('W11 the placement annotation names the serving site, and does not influence placement', async () => {
  const ref = await stage.make({ name: 'followed' });
  const state = withApplied(
    aPlacing(ref),
    'site-1',
    await stage.hub.apply(ref, 'site-1', aPlacing(ref), null),
  );
  const noted = async (): Promise<string | undefined> =>
    (await stage.read(ref)).metadata.annotations?.[HAS_PLACEMENT];
  const publication = { record: null, mirror: null, at: 0 };
  const moved = { ...state, serving: 'site-2' };
  await stage.hub.apply(ref, 'site-2', state, null);
  await stage.hub.publish(ref, moved, publication);
  expect(await noted()).toBe('site-2');
  const before = await stage.read(ref);
  await stage.hub.publish(ref, moved, publication);
  expect(await stage.read(ref)).toEqual(before);
  await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [HAS_PLACEMENT]: 'site-9' } } });
  expect(await stage.hub.apply(ref, 'site-1', state, null)).toMatchObject({
    outcome: 'Applied',
    created: false,
  });
  await stage.hub.publish(ref, state, publication);
  expect([await stage.work(ref, 'site-9'), await noted()]).toEqual([null, 'site-1']);
  await stage.hub.publish(ref, { ...state, serving: null, copies: {}, placedFor: '' }, publication);
  expect(await noted()).toBeUndefined();
});

test('an apply that is refused says so where the work that was found is gone, and of no other site', async () => {
  const container = { envFrom: [{ secretRef: { name: 'awaited' } }] };
  const ref = await stage.make({ name: 'found-and-gone', container });
  const placing = aPlacing(ref);
  const found = { ...placing, copies: { 'site-1': { ...placing.copies['site-1'], found: true } } } as State;
  const refused = { outcome: 'Refused', reason: 'MissingReference' };
  expect((await stage.ship(ref, found)).applied).toMatchObject({ ...refused, isGone: true });
  const { applied } = await stage.ship(ref, placing);
  expect(applied).toMatchObject(refused);
  expect(applied).not.toHaveProperty('isGone');
});
