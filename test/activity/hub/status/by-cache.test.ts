// A publication by the hub worker's cache on a real API server: one request while the cache is new enough,
// and the same as by a live read when it is not.
import { hubPublish } from '../../../../activities/hub/status/publish.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { aTry } from '../../../support/builders/process/tries.ts';
import { aFinding, aPlacing } from '../../../support/builders/states.ts';
import { countingRequests } from '../../../support/testbeds/hub/counting.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const PUBLICATION = { record: null, mirror: { stateStatus: { state: 'enabled' } }, at: Date.now() };
const ONE = ['patch Capp'];
const READ = ['patch Capp', 'get Capp', 'patch Capp'];

/** Shipped, and reported as Ready by its site's agent. */
async function ready(name: string): Promise<{ ref: CappRef; state: State }> {
  const ref = await stage.make({ name });
  const { state } = await stage.ship(ref, { ...aPlacing(ref), statusDecidedAt: 1000 });
  const stamp = state.copies['site-1']?.stamp ?? '';
  const answer = { finding: aFinding(), mirror: null };
  return {
    ref,
    state: { ...afterAnswer(state, 'site-1', { stamp, answer }, Date.now()), statusDecidedAt: 2000 },
  };
}

/** The cache shows what is on the hub. */
async function shown(ref: CappRef): Promise<void> {
  const { metadata } = await stage.read(ref);
  await eventually(() =>
    stage.caches.capps.get(ref)?.metadata.resourceVersion === metadata.resourceVersion ? true : undefined,
  );
}

/** With a cache that does not change any more. */
function pressWith(ref: CappRef, isLate: boolean) {
  const { asked, kube } = countingRequests(stage.kube);
  const parts = warranted(stage.caches);
  const frozen = stage.caches.capps.get(ref);
  const capps = { ...parts.caches.capps, get: () => frozen };
  const caches = isLate ? { ...parts.caches, capps } : parts.caches;
  return { asked, ...hubPublish({ ...stage, ...parts, caches, kube }) };
}

const conditionOf = async (ref: CappRef) =>
  (await stage.read(ref)).status?.conditions?.find(({ type }) => type === 'Ready')?.status;

test('a status that differs is one request, and has both parts', async () => {
  const { ref, state } = await ready('once');
  await shown(ref);
  const { asked, publish } = pressWith(ref, false);
  await publish(ref, state, PUBLICATION);
  expect([asked, await conditionOf(ref)]).toEqual([ONE, 'True']);
  expect((await stage.read(ref)).status).toMatchObject({
    applicationLinks: { site: 'site-1' },
    stateStatus: { state: 'enabled' },
    migration: { serving: 'site-1', statusHash: expect.any(String) },
  });
});

test('a late cache writes nothing: the Capp is read, and what somebody wrote meanwhile stays', async () => {
  const { ref, state } = await ready('late');
  await shown(ref);
  const { asked, publish } = pressWith(ref, true);
  await stage.kube.patch(CAPP, ref, { metadata: { annotations: { theirs: 'yes' } } });
  await publish(ref, state, PUBLICATION);
  expect([asked, await conditionOf(ref)]).toEqual([READ, 'True']);
  expect((await stage.read(ref)).metadata.annotations).toMatchObject({ theirs: 'yes' });
});

test('a late cache undoes no status that is newer', async () => {
  const { ref, state } = await ready('newer');
  await shown(ref);
  const { publish } = pressWith(ref, true);
  const newer = { ...state, statusDecidedAt: 3000, paused: true };
  await stage.hub.publish(ref, newer, { ...PUBLICATION, mirror: null });
  const before = await stage.read(ref);
  await publish(ref, state, PUBLICATION);
  expect((await stage.read(ref)).status).toEqual(before.status);
});

test('a cache that shows no difference is not believed', async () => {
  const { ref, state } = await ready('same');
  await stage.hub.publish(ref, state, PUBLICATION);
  await shown(ref);
  const { asked, publish } = pressWith(ref, true);
  await stage.kube.patch(CAPP, ref, { status: { conditions: [] } }, { subresource: 'status' });
  await publish(ref, state, { ...PUBLICATION, mirror: null });
  expect([asked, await conditionOf(ref)]).toEqual([['get Capp', 'patch Capp'], 'True']);
});

test('another try reads', async () => {
  const { ref, state } = await ready('again');
  await shown(ref);
  const { asked, publish } = pressWith(ref, false);
  await aTry({ attempt: 2 }).run(() => publish(ref, state, PUBLICATION));
  expect(asked).toEqual(['get Capp', 'patch Capp']);
});

test('a status for a successor of the same name is not written', async () => {
  const { ref, state } = await ready('successor');
  await shown(ref);
  const { publish } = pressWith(ref, true);
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: null } });
  await stage.kube.remove(CAPP, ref);
  await stage.make({ name: 'successor' });
  await publish(ref, state, PUBLICATION);
  expect((await stage.read(ref)).status?.conditions ?? []).toEqual([]);
});
