// Removing a copy on a real API server needs grounds that hold at that moment; looking for works deletes
// nothing.
import { hubRemove } from '../../../../activities/hub/retire/remove.ts';
import { ROLLOUT } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, WORK_FINALIZER } from '../../../../crds/ocm/ocm.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import type { Grounds } from '../../../../workflows/types/removals.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import {
  isThereFor,
  onBothOf,
  sayStands,
  SITES,
  startHubOfTwo,
  workOf,
} from '../../../support/testbeds/activities/two-copies.ts';
import type { HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { saidToMove } from '../../../support/testbeds/hub/moving.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHubOfTwo();
}, 300_000);
afterAll(() => stage?.stop());
beforeEach(async () => {
  for (const name of SITES) await sayStands(stage, name, 'True');
});

const onBoth = (name: string, isTaken?: boolean) => onBothOf(stage, name, isTaken);
const isThere = (ref: CappRef, cluster: string) => isThereFor(stage, ref, cluster);

test('a copy is removed while the confirmed copy is in place, and a repeat changes nothing', async () => {
  const { ref, grounds } = await onBoth('plain');
  expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
  expect([await isThere(ref, 'site-1'), await isThere(ref, 'site-2')]).toEqual([false, true]);
  expect((await stage.hub.remove(ref, ['site-1'], grounds)).objection).toBeUndefined();
});

test.each<[string, string, (ref: CappRef, grounds: Grounds) => Promise<Grounds>]>([
  [
    'that was confirmed too long ago',
    'Expired',
    async (_ref, grounds) => ({ ...grounds, until: Date.now() - 1 }),
  ],
  [
    'whose work is gone',
    'WorkGone',
    async (ref, grounds) => {
      await stage.kube.patch(MANIFEST_WORK, workOf(ref.name, 'site-2'), { metadata: { finalizers: null } });
      await stage.kube.remove(MANIFEST_WORK, workOf(ref.name, 'site-2'));
      return grounds;
    },
  ],
  [
    'whose work is being deleted',
    'WorkGone',
    async (ref, grounds) => {
      await stage.kube.remove(MANIFEST_WORK, workOf(ref.name, 'site-2'));
      return grounds;
    },
  ],
  [
    'whose work has another stamp by now',
    'OtherStamp',
    async (ref, grounds) => {
      await stage.kube.patch(MANIFEST_WORK, workOf(ref.name, 'site-2'), {
        metadata: { annotations: { [ROLLOUT]: 'another' } },
      });
      return grounds;
    },
  ],
  [
    'whose site is unreachable',
    'SiteUnreachable',
    async (_ref, grounds) => {
      await sayStands(stage, 'site-2', 'Unknown');
      return grounds;
    },
  ],
])('nothing is removed on the grounds of a copy %s', async (_what, reason, undo) => {
  const { ref, grounds } = await onBoth(`kept-${reason.toLowerCase()}-${Math.floor(Math.random() * 1e9)}`);
  const removed = await stage.hub.remove(ref, ['site-1'], await undo(ref, grounds));
  expect(removed).toMatchObject({ leaving: [], objection: { reason } });
  expect(await isThere(ref, 'site-1')).toBe(true);
});

test('what was shipped since the removal was decided stays', async () => {
  const { ref, grounds } = await onBoth('shipped-since');
  const late = { ...grounds, of: { 'site-1': 'an-earlier-stamp' } };
  const stamp = (await stage.work(ref, 'site-1'))?.metadata.annotations?.[ROLLOUT] ?? '';
  const removed = await stage.hub.remove(ref, ['site-1'], late);
  expect(removed).toEqual({
    leaving: [],
    objection: {
      reason: 'OtherWork',
      message: 'the ManifestWork on site-1 was shipped since its removal was decided.',
      seen: { 'site-1': stamp },
    },
  });
  expect(await isThere(ref, 'site-1')).toBe(true);
  const present = { ...grounds, of: { 'site-1': stamp } };
  expect(await stage.hub.remove(ref, ['site-1'], present)).toEqual({ leaving: ['site-1'] });
});

describe('with Recreate, the only copy is removed first', () => {
  const alone = (): Grounds => ({ staying: null, until: Date.now() + 60_000 });

  async function recreating(name: string, migration: object): Promise<CappRef> {
    const ref = await stage.make({ name });
    await stage.kube.patch(CAPP, ref, { spec: { migration } });
    await stage.ship(ref);
    await stage.taken(ref);
    await saidToMove(stage, ref);
    return ref;
  }

  test('while the Capp asks for Recreate', async () => {
    const ref = await recreating('recreate', { strategy: 'Recreate' });
    expect(await stage.hub.remove(ref, ['site-1'], alone())).toEqual({ leaving: ['site-1'] });
  });

  test('but not when the Capp has another strategy, another uid or is paused, or when the grounds have expired', async () => {
    const ref = await recreating('otherwise', { strategy: 'MakeBeforeBreak' });
    expect(await stage.hub.remove(ref, ['site-1'], alone())).toMatchObject({
      objection: { reason: 'CappChanged' },
    });
    await stage.kube.patch(CAPP, ref, { spec: { migration: { strategy: 'Recreate' } } });
    await saidToMove(stage, ref);
    expect(await stage.hub.remove({ ...ref, uid: 'another' }, ['site-1'], alone())).toMatchObject({
      objection: { reason: 'CappChanged' },
    });
    expect(await stage.hub.remove(ref, ['site-1'], { ...alone(), until: Date.now() - 1 })).toMatchObject({
      objection: { reason: 'Expired' },
    });
    await stage.kube.patch(CAPP, ref, { metadata: { annotations: { 'rcs.dana.io/paused': 'yes' } } });
    expect(await stage.hub.remove(ref, ['site-1'], alone())).toMatchObject({
      objection: { reason: 'CappChanged' },
    });
    expect(await isThere(ref, 'site-1')).toBe(true);
  });
});

test('a work that the cache does not have yet is found, and removed', async () => {
  const { ref, grounds } = await onBoth('unseen');
  const works = { ...stage.caches.works, by: () => [] };
  const { audit, kube } = stage;
  const behind = hubRemove({ kube, audit, ...warranted({ ...stage.caches, works }) });
  expect((await behind.find(ref, ['site-1'])).works).toEqual([{ cluster: 'site-1', leaving: false }]);
  expect(await behind.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
  expect([await isThere(ref, 'site-1'), await isThere(ref, 'site-2')]).toEqual([false, true]);
});

test('find returns works on all sites or on the given ones, and deletes nothing', async () => {
  const { ref } = await onBoth('sought');
  const there = ['site-1', 'site-2'].map((cluster) => ({ cluster, leaving: false }));
  expect(
    (await stage.hub.find(ref, null)).works.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1)),
  ).toEqual(there);
  expect((await stage.hub.find(ref, ['site-2', 'site-3'])).works).toEqual([
    { cluster: 'site-2', leaving: false },
  ]);
  expect([await isThere(ref, 'site-1'), await isThere(ref, 'site-2')]).toEqual([true, true]);
});

test('find reports a work that is being deleted on a lost site, and leaves it in place', async () => {
  const { ref } = await onBoth('lost');
  await stage.kube.remove(MANIFEST_WORK, workOf('lost', 'site-1'));
  await sayStands(stage, 'site-1', 'Unknown');
  const lost = {
    works: [{ cluster: 'site-1', leaving: true }],
    lost: { 'site-1': 'Unreachable' },
    given: [],
  };
  expect(await stage.hub.find(ref, ['site-1'])).toEqual(lost);
  expect(await stage.hub.find(ref, ['site-1'])).toEqual(lost);
});

test('a work that its work agent has not taken yet is not deleted, because the agent may be creating its objects', async () => {
  const { ref, grounds } = await onBoth('young', false);
  expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: [], pending: ['site-1'] });
  expect(await isThere(ref, 'site-1')).toBe(true);
  await stage.taken(ref, 'site-1');
  expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', isPending: true });
  expect(await isThere(ref, 'site-2')).toBe(true);
  await stage.taken(ref, 'site-2');
  expect(await stage.hub.retire(ref)).not.toHaveProperty('isPending');
  expect(await isThere(ref, 'site-2')).toBe(false);
});

describe("a new work gets the finalizer of the site's work agent,", () => {
  test('so that a deleted work stays until the agent has removed its objects', async () => {
    const { ref, grounds } = await onBoth('early');
    expect((await stage.work(ref, 'site-1'))?.metadata.finalizers).toEqual([WORK_FINALIZER]);
    expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
    expect((await stage.work(ref, 'site-1'))?.metadata.deletionTimestamp).toBeDefined();
    expect((await stage.hub.find(ref, ['site-1'])).works).toEqual([{ cluster: 'site-1', leaving: true }]);
    await stage.kube.patch(MANIFEST_WORK, workOf('early', 'site-1'), { metadata: { finalizers: null } });
    expect(await stage.hub.find(ref, ['site-1'])).toEqual({ works: [], lost: {}, given: [] });
  });

  test('and an older work gets it with the next change', async () => {
    const ref = await stage.make({ name: 'former' });
    const { state } = await stage.ship(ref);
    await stage.kube.patch(MANIFEST_WORK, workOf('former', 'site-1'), {
      metadata: { finalizers: ['else/where'] },
    });
    await stage.ship(ref, state);
    expect((await stage.work(ref))?.metadata.finalizers).toEqual(['else/where']);
    await stage.kube.patch(CAPP, ref, { spec: { scaleMetric: 'cpu' } });
    await stage.ship(ref, state);
    expect((await stage.work(ref))?.metadata.finalizers).toEqual(['else/where', WORK_FINALIZER]);
  });

  test('which is removed at once on a cluster that never joined', async () => {
    const { ref, grounds } = await onBoth('never-joined', false);
    await sayStands(stage, 'site-1', 'Unknown', false);
    expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: [] });
    expect(await stage.work(ref, 'site-1')).toBeNull();
    const other = (await onBoth('never-retired', false)).ref;
    await stage.kube.remove(CAPP, other);
    await sayStands(stage, 'site-2', 'Unknown', false);
    expect(await stage.hub.retire(other)).toEqual({ outcome: 'Retired' });
  });

  test('which stays on a lost cluster when the agent had taken the work', async () => {
    const { ref, grounds } = await onBoth('held');
    await sayStands(stage, 'site-1', 'Unknown', false);
    expect(await stage.hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
    expect(await stage.hub.find(ref, ['site-1'])).toMatchObject({
      works: [{ cluster: 'site-1', leaving: true }],
      given: [],
    });
  });
});
