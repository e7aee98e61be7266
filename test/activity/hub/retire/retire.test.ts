// Removing a Capp's works and publishing its status, on a real API server.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { FINALIZER } from '../../../../crds/labels.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { initialState, type CappRef, type State } from '../../../../workflows/capp/state.ts';
import { startHub, APPS, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aCopy, aFinding } from '../../../support/builders/states.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

async function shipped(name: string): Promise<{ ref: CappRef; state: State }> {
  const ref = await stage.make({ name });
  const copy = aCopy({ stamp: null, generation: 0, finding: null, work: null });
  const before: State = { ...initialState(ref), serving: 'site-1', copies: { 'site-1': copy } };
  const applied = await stage.hub.apply(ref, 'site-1', before, null);
  return { ref, state: withApplied(before, 'site-1', applied) };
}

const keyOfWork = (name: string) => ({ namespace: 'site-1', name: `mw-create-${APPS}-${name}` });

test('retiring a Capp that is not being deleted leaves its works in place', async () => {
  const { ref } = await shipped('alive');
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Alive' });
  expect((await stage.work(ref))?.metadata.deletionTimestamp).toBeUndefined();
  expect(await stage.hub.retire({ ...ref, uid: 'another' })).toEqual({ outcome: 'Replaced', uid: ref.uid });
});

test('the finalizer of a deleted Capp is removed only when no work is left', async () => {
  const { ref } = await shipped('going');
  await stage.kube.patch(MANIFEST_WORK, keyOfWork('going'), { metadata: { finalizers: ['test/hold'] } });
  await stage.taken(ref);
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1'] });
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1'] });
  expect((await stage.read(ref)).metadata.finalizers).toContain(FINALIZER);
  await stage.kube.patch(MANIFEST_WORK, keyOfWork('going'), { metadata: { finalizers: null } });
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await stage.kube.get(CAPP, ref)).toBeNull();
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
});

test('works without labels, as the Go operator made them, are removed too', async () => {
  const { ref } = await shipped('unlabelled');
  await stage.kube.patch(MANIFEST_WORK, keyOfWork('unlabelled'), { metadata: { labels: null } });
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await stage.work(ref)).toBeNull();
});

test('the finalizers of other controllers stay', async () => {
  const { ref } = await shipped('shared');
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: ['else/where', FINALIZER] } });
  await stage.kube.remove(CAPP, ref);
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect((await stage.read(ref)).metadata.finalizers).toEqual(['else/where']);
});

test("the site's mirror is written beside the hub's own fields, and fields that it no longer has are removed", async () => {
  const { ref, state } = await shipped('mirrored');
  const stamp = state.copies['site-1']?.stamp ?? '';
  const answer = (mirror: Record<string, unknown>, statusHash: string) => ({
    finding: { ...aFinding(), statusHash },
    mirror,
  });
  const aside = {
    type: 'RouteReady',
    status: 'True',
    reason: 'Mapped',
    message: 'm',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  };
  const first = answer(
    {
      applicationLinks: { consoleLink: 'http://x' },
      stateStatus: { state: 'enabled' },
      routeStatus: { a: 1 },
      conditions: [aside],
    },
    'h1',
  );
  const ready = afterAnswer(state, 'site-1', { stamp, answer: first }, Date.now());
  await stage.hub.publish(ref, ready, { record: null, mirror: first.mirror, at: Date.now() });
  const said = (await stage.read(ref)).status;
  expect(said).toMatchObject({
    applicationLinks: { site: 'site-1', consoleLink: 'http://x' },
    stateStatus: { state: 'enabled' },
    migration: { serving: 'site-1', statusHash: 'h1' },
  });
  expect(said?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
    status: 'True',
    observedGeneration: 1,
  });
  expect(said?.conditions).toContainEqual(aside);
  const { resourceVersion } = (await stage.read(ref)).metadata;
  await stage.hub.publish(ref, ready, { record: null, mirror: null, at: Date.now() });
  expect((await stage.read(ref)).metadata.resourceVersion).toBe(resourceVersion);
  const second = answer({ stateStatus: { state: 'disabled' } }, 'h2');
  await stage.hub.publish(ref, afterAnswer(ready, 'site-1', { stamp, answer: second }, Date.now()), {
    record: null,
    mirror: second.mirror,
    at: Date.now(),
  });
  const now = (await stage.read(ref)).status;
  expect(now?.applicationLinks).toEqual({ site: 'site-1' });
  expect(now?.routeStatus).toBeUndefined();
  expect(now?.conditions?.some(({ type }) => type === 'RouteReady')).toBe(false);
});

test("publishing an unchanged status writes nothing, and lastTransitionTime changes only with the condition's status", async () => {
  const { ref, state } = await shipped('still');
  const before = await stage.read(ref);
  await stage.hub.publish(ref, state, { record: null, mirror: null, at: Date.now() + 60_000 });
  expect((await stage.read(ref)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  const silent = {
    ...state,
    copies: { 'site-1': { ...aCopy({ stamp: 's' }), silentSince: Date.now(), finding: null } },
  };
  await stage.hub.publish(ref, silent, { record: null, mirror: null, at: Date.now() + 120_000 });
  const after = await stage.read(ref);
  const time = (capp: typeof after, type: string) =>
    capp.status?.conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
  expect(after.status?.conditions?.find(({ type }) => type === 'Available')?.reason).toBe('AgentSilent');
  expect(time(after, 'Available')).toBe(time(before, 'Available'));
});

test('publishing for a Capp that is gone or has another uid writes nothing', async () => {
  const { ref, state } = await shipped('nobody');
  await stage.hub.publish(
    { ...ref, uid: 'another' },
    { ...state, serving: 'site-2' },
    { record: null, mirror: null, at: Date.now() },
  );
  expect((await stage.read(ref)).status?.applicationLinks?.site).toBe('site-1');
  await stage.hub.publish({ ...ref, name: 'nobody-at-all' }, state, {
    record: null,
    mirror: null,
    at: Date.now(),
  });
});
