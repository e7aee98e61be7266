// A try whose write succeeded and whose answer was lost, and the retry after it, on a real API server: the
// write is not repeated.
import { hubApply } from '../../../activities/hub/ship/apply.ts';
import { hubPublish } from '../../../activities/hub/status/publish.ts';
import { hubMend } from '../../../activities/hub/status/mend.ts';
import { hubRetire } from '../../../activities/hub/retire/retire.ts';
import { hubTakeUp } from '../../../activities/hub/site/take-up.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_UID } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { startFaultProxy, type FaultProxy, type Seen } from '../../support/servers/network/fault-proxy.ts';
import { reportedReady } from '../../support/testbeds/activities/reported-ready.ts';
import { warranted } from '../../support/testbeds/hub/warranted.ts';
import { startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../support/builders/states.ts';
import { aTry } from '../../support/builders/process/tries.ts';

let stage: HubForTests;
let proxy: FaultProxy;
let lossy: Kube;
beforeAll(async () => {
  stage = await startHub();
  proxy = await startFaultProxy(stage.kubeconfig);
  lossy = connect({ kubeconfig: proxy.kubeconfig });
}, 300_000);
afterEach(() => proxy.heal());
afterAll(async () => {
  await lossy?.close();
  await proxy?.stop();
  await stage?.stop();
});

const client = { workflow: {} } as never;
const hub = () => {
  const by = { ...stage, ...warranted(stage.caches), kube: lossy };
  return { ...hubApply(by), ...hubPublish(by), ...hubRetire(by), ...hubTakeUp(by), ...hubMend(by, client) };
};

const makesWork = ({ method, path }: Seen): boolean => method === 'POST' && path.includes('/manifestworks');
const deletesWork = ({ method, path }: Seen): boolean =>
  method === 'DELETE' && path.includes('/manifestworks');
const patchesWork = ({ method, path }: Seen): boolean =>
  method === 'PATCH' && path.includes('/manifestworks');
const patchesCapp = ({ method, path }: Seen): boolean =>
  method === 'PATCH' && path.includes('/capps/') && !path.includes('/status');
const writesStatus = ({ method, path }: Seen): boolean => method === 'PATCH' && path.includes('/status');

interface Twice<T> {
  readonly answer: T;
  /** The Capp's works before the retry. */
  readonly found: readonly ManifestWork[];
  /** The requests of the retry, without reads. */
  readonly wrote: readonly Seen[];
}

/** Runs a try whose write succeeds but whose answer is lost, and then a retry whose answers arrive. */
async function twice<T>(
  ref: CappRef,
  work: () => Promise<T>,
  write: (seen: Seen) => boolean,
): Promise<Twice<T>> {
  proxy.fault((seen) => (write(seen) ? { sever: 'after' } : undefined));
  await expect(aTry().run(work)).rejects.toMatchObject({ type: 'Unreachable', nonRetryable: false });
  proxy.heal();
  proxy.forget();
  const found = await works(ref);
  const answer = await aTry({ attempt: 2 }).run(work);
  return { answer, found, wrote: proxy.seen.filter(({ method }) => method !== 'GET') };
}

async function works({ uid }: CappRef): Promise<ManifestWork[]> {
  const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK, {
    labelSelector: `${CAPP_UID}=${uid}`,
  });
  return items;
}

/** The state of a Capp that its agent has reported as Ready. */
async function ready(ref: CappRef): Promise<State> {
  return { ...(await reportedReady(stage, ref)).after, statusDecidedAt: 2000 };
}

test('the retry of an apply finds the work that the first try created, and does not change it', async () => {
  const ref = await stage.make({ name: 'made' });
  const { answer, found } = await twice(
    ref,
    () => hub().apply(ref, 'site-1', aPlacing(ref), null),
    makesWork,
  );
  expect(answer).toMatchObject({ outcome: 'Applied', created: false, wasThere: true, generation: 1 });
  expect([found.length, await works(ref)]).toEqual([1, found]);
});

test('the retry of an apply writes the status that the first try did not write', async () => {
  const ref = await stage.make({ name: 'untold' });
  await twice(ref, () => hub().apply(ref, 'site-1', aPlacing(ref), null), makesWork);
  const { status } = await stage.read(ref);
  expect(status?.migration?.serving).toBe('site-1');
  expect(status?.conditions?.find(({ type }) => type === 'Placed')).toMatchObject({ status: 'True' });
});

test('the retry of an apply does not change the work again that the first try changed', async () => {
  const ref = await stage.make({ name: 'changed' });
  const { state } = await stage.ship(ref);
  await stage.kube.patch(CAPP, ref, { spec: { state: 'disabled' } });
  const { answer, found } = await twice(ref, () => hub().apply(ref, 'site-1', state, null), patchesWork);
  expect(answer).toMatchObject({ outcome: 'Applied', created: false, generation: 2 });
  expect(answer).not.toHaveProperty('wasThere');
  expect([found.length, await works(ref)]).toEqual([1, found]);
});

test('the retry of a publication writes nothing when the first try wrote the status', async () => {
  const ref = await stage.make({ name: 'told' });
  const state = await ready(ref);
  const publication = { record: null, mirror: null, at: Date.now() };
  const { wrote } = await twice(ref, () => hub().publish(ref, state, publication), writesStatus);
  expect(wrote).toEqual([]);
  expect((await stage.read(ref)).status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe(
    'True',
  );
});

test.each([
  ['the work', deletesWork, 'first'],
  ['the finalizer', patchesCapp, 'last'],
] as const)('the retry of a retirement finishes after the first try removed %s', async (_, write, name) => {
  const ref = await stage.make({ name });
  await stage.ship(ref);
  await stage.kube.remove(CAPP, ref);
  const { answer, wrote } = await twice(ref, () => hub().retire(ref), write);
  expect(answer).toEqual({ outcome: 'Retired' });
  expect(wrote.filter(write)).toEqual([]);
  expect([await works(ref), await stage.kube.get<Capp>(CAPP, ref)]).toEqual([[], null]);
});

test('the retry of takeUp makes no second work', async () => {
  const ref = await stage.make({ name: 'taken-up' });
  await stage.ship(ref);
  const { answer, found, wrote } = await twice(ref, () => hub().takeUp(ref, 'site-2'), makesWork);
  expect([answer, wrote]).toEqual([{ taken: false }, []]);
  expect([found.length, await works(ref)]).toEqual([2, found]);
});

test('the retry of sayFailing writes nothing when the first try wrote the condition', async () => {
  const ref = await stage.make({ name: 'failing' });
  await stage.ship(ref);
  const { wrote } = await twice(ref, () => hub().sayFailing(ref, { startsOver: false }), writesStatus);
  expect(wrote).toEqual([]);
});
