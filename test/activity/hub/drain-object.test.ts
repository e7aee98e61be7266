// What the hub worker reads of a Drain on a real API server, and what it writes into its status and events.
import { hubDrainObject } from '../../../activities/hub/drain/drain-object.ts';
import { hubDrain } from '../../../activities/hub/drain/drain.ts';
import { standingDrain } from '../../../activities/hub/caches.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { EVENT, type Event } from '../../../crds/kubernetes/core.ts';
import { PRIORITY, REQUESTED_BY } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { DrainAccount, DrainReport } from '../../../workflows/drain/object.ts';
import { startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
let hub: ReturnType<typeof hubDrainObject>;
beforeAll(async () => {
  stage = await startHub();
  hub = hubDrainObject(stage);
}, 300_000);
afterAll(() => stage?.stop());

const keyOf = (name: string) => ({ namespace: null, name });
const read = async (name: string): Promise<Drain> =>
  (await stage.kube.get<Drain>(DRAIN, keyOf(name))) as Drain;
const create = (name: string, spec: object = {}): Promise<Drain> =>
  stage.kube.create<Drain>(DRAIN, {
    apiVersion: DRAIN.apiVersion,
    kind: DRAIN.kind,
    metadata: { name, annotations: { [REQUESTED_BY]: 'alice' } },
    spec,
  } as Drain);

const ACCOUNT: DrainAccount = {
  countedSince: '2026-03-01T12:00:00Z',
  waiting: 3,
  underWay: 1,
  moved: 2,
  targets: { 'site-2': 1 },
  going: [{ capp: 'apps/b', to: 'site-2' }],
  stayed: { Pinned: 1 },
  named: [{ capp: 'apps/a', why: 'Pinned' }],
};
const about = ({ metadata }: Drain, plain: Partial<DrainReport> = {}): DrainReport => ({
  uid: metadata.uid ?? '',
  at: Date.parse('2026-03-01T12:00:05Z'),
  generation: null,
  phase: 'Draining',
  account: ACCOUNT,
  ...plain,
});

test('a Drain is read with its lanes, and one that is being deleted or is not there is none', async () => {
  const { metadata } = await create('read', { width: 7, paused: true });
  const lanes = { width: 7, perTarget: 25, ratePerSecond: 25 };
  expect(await hub.readDrain('read')).toEqual({
    drain: {
      uid: metadata.uid,
      generation: 1,
      dryRun: false,
      paused: true,
      lanes,
      isOver: false,
      isSettled: false,
    },
  });
  await stage.kube.patch(DRAIN, keyOf('read'), { metadata: { finalizers: ['example.com/hold'] } });
  await stage.kube.remove(DRAIN, keyOf('read'));
  expect(await hub.readDrain('read')).toEqual({ drain: null });
  await stage.kube.patch(DRAIN, keyOf('read'), { metadata: { finalizers: null } });
  expect(await hub.readDrain('read')).toEqual({ drain: null });
});

test('a report is in the status and in an event, and the same report is not written again', async () => {
  const drain = await create('told');
  await hub.reportDrain('told', about(drain, { generation: 1, account: null }));
  await hub.reportDrain('told', about(drain));
  const told = await read('told');
  expect(told.status).toMatchObject({
    observedGeneration: 1,
    phase: 'Draining',
    requestedBy: 'alice',
    waiting: 3,
    underWay: 1,
    moved: 2,
    stayed: 1,
    stays: [{ capp: 'apps/a', reason: 'Pinned' }],
  });
  await hub.reportDrain('told', about(drain, { at: Date.parse('2026-03-01T13:00:00Z') }));
  expect((await read('told')).metadata.resourceVersion).toBe(told.metadata.resourceVersion);
  await stage.events.queue.idle();
  const { items } = await stage.kube.list<Event>(EVENT);
  const mine = items.filter(({ regarding }) => regarding.uid === drain.metadata.uid);
  expect(
    mine.map(({ reason, metadata, regarding }) => [reason, metadata.namespace, regarding.namespace]),
  ).toEqual([['DrainStarted', 'default', undefined]]);
});

test('what is reported of another Drain of the same name is not written', async () => {
  const drain = await create('other');
  await hub.reportDrain('other', about(drain, { uid: 'another' }));
  await hub.reportDrain('nobody', about(drain));
  expect((await read('other')).status).toBeUndefined();
});

test('a drain that has ended is read as over, so that no workflow begins it again, and keeps no field of the way there', async () => {
  const drain = await create('over');
  await hub.reportDrain('over', about(drain, { generation: 1, account: null }));
  await hub.reportDrain('over', about(drain));
  const ended = { ...ACCOUNT, waiting: 0, underWay: 0, targets: {}, stayed: {}, named: [] };
  await hub.reportDrain('over', about(drain, { generation: 1, phase: 'Done', account: ended }));
  const { status } = await read('over');
  expect(status).toMatchObject({
    phase: 'Done',
    stays: [],
    reasons: [],
    targets: [],
    endedAt: expect.anything(),
  });
  expect(status?.conditions?.map(({ type, status: is }) => `${type}=${is}`)).toEqual([
    'Complete=True',
    'Drained=True',
  ]);
  expect((await hub.readDrain('over')).drain).toMatchObject({ isOver: true });
});

test('the Capps that a Drain gives priority leave first, whatever they say themselves; a dry run gives none to a drain', async () => {
  for (const name of ['plain', 'urgent', 'chosen']) {
    const ref = await stage.make({ name });
    if (name === 'urgent')
      await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [PRIORITY]: '7' } } });
    await stage.kube.patch(
      CAPP,
      ref,
      { status: { applicationLinks: { site: 'site-1' } } },
      { subresource: 'status' },
    );
  }
  const drain = hubDrain({ caches: stage.caches, hubUid: 'uid', config: RCS_CONFIG_KEY });
  const order = async (): Promise<string[]> => {
    const { capps } = await drain.cappsOn('site-1', null, []);
    return capps.map(({ name }) => name);
  };
  await create('site-1', {
    dryRun: true,
    priorities: [
      { namespace: 'apps', priority: -1 },
      { namespace: 'apps', name: 'chosen', priority: 9 },
    ],
  });
  await eventually(async () => {
    expect(stage.caches.drains.get(keyOf('site-1'))).toBeDefined();
    expect(await order()).toEqual(['urgent', 'chosen', 'plain']);
    return true;
  });
  await stage.kube.patch(DRAIN, keyOf('site-1'), { spec: { dryRun: false } });
  await eventually(async () => {
    expect(standingDrain(stage.caches, 'site-1')).toBeDefined();
    expect(await order()).toEqual(['chosen', 'plain', 'urgent']);
    return true;
  });
});
