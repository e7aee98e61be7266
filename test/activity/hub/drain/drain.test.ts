// Which Capps are on a cluster and where they would go, from caches of a real API server.
import type { HubCaches } from '../../../../activities/hub/caches.ts';
import { hubDrain } from '../../../../activities/hub/drain/drain.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { CAPP_NAME, CAPP_NAMESPACE, PAUSED, PRIORITY } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Residents } from '../../../../workflows/drain/residents.ts';
import type { DrainPlace } from '../../../../workflows/drain/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { decideAll, make } from '../../../support/testbeds/activities/two-sites.ts';
import { startServedSites, type ServedSites } from '../../../support/testbeds/drain/served-sites.ts';

let bed: ServedSites;
let stage: ServedSites['stage'];
let caches: HubCaches;
let serve: ServedSites['serve'];
let drain: Pick<Hub, 'cappsOn' | 'plan'>;
beforeAll(async () => {
  bed = await startServedSites();
  ({ stage, caches, serve } = bed);
  drain = hubDrain({ caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
}, 300_000);
afterAll(() => bed?.stop());

/** A work with a finalizer: when it is deleted it stays until its site removes the finalizer. */
async function work(name: string, cluster: string, { leaving = false } = {}): Promise<void> {
  const annotations = { [CAPP_NAMESPACE]: 'apps', [CAPP_NAME]: name };
  const finalizers = ['cluster.open-cluster-management.io/manifest-work-cleanup'];
  const key = { namespace: cluster, name: `mw-create-apps-${name}` };
  await stage.kube.create(
    MANIFEST_WORK,
    make(MANIFEST_WORK, { ...key, annotations, finalizers }, { spec: { workload: { manifests: [] } } }),
  );
  if (leaving) await stage.kube.remove(MANIFEST_WORK, key);
}

test('a page lists the Capps that the cluster serves by priority, with the target of each and the reason to stay', async () => {
  await serve('b-plain', 'site-1');
  await serve('a-plain', 'site-1');
  await serve('urgent', 'site-1', { annotations: { [PRIORITY]: '7' } });
  await serve('frozen', 'site-1', { annotations: { [PAUSED]: 'true' } });
  await serve('pinned', 'site-1', { spec: { site: 'site-1' } });
  await serve('elsewhere', 'site-2');
  const { capps, isLast } = await eventually(async () => {
    const page = await drain.cappsOn('site-1', null, []);
    expect(page.capps).toHaveLength(5);
    expect(page.capps.find(({ name }) => name === 'a-plain')?.to).toBe('site-2');
    return page;
  });
  expect(isLast).toBe(true);
  expect(capps.map(({ name, to, why }) => [name, to, why])).toEqual([
    ['urgent', 'site-2', null],
    ['a-plain', 'site-2', null],
    ['b-plain', 'site-2', null],
    ['frozen', null, 'Paused'],
    ['pinned', null, null],
  ]);
});

test('a plan counts the Capps by target, names those that would stay, and changes nothing', async () => {
  await eventually(async () =>
    (await drain.plan('site-1')).capps === 5 && (await drain.plan('site-2')).capps === 1 ? true : undefined,
  );
  const before = caches.capps.list().map(({ metadata }) => metadata.resourceVersion);
  expect(await drain.plan('site-1')).toMatchObject({
    cluster: 'site-1',
    capps: 5,
    moves: { 'site-2': 3 },
    stays: [
      { reason: 'Paused', count: 1, names: ['apps/frozen'] },
      { reason: 'Pinned', count: 1, names: ['apps/pinned'] },
    ],
  });
  expect(await drain.plan('site-2')).toMatchObject({ capps: 1, moves: { 'site-1': 1 }, stays: [] });
  await expect(drain.plan('nowhere')).rejects.toMatchObject({
    type: 'Gone',
    message: expect.stringContaining('nowhere'),
  });
  expect(caches.capps.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(before);
});

test('a page of a drain that nobody ordered gives a reason for every Capp that stays', async () => {
  const cluster = { namespace: null, name: 'site-1' };
  await stage.kube.patch(MANAGED_CLUSTER, cluster, {
    spec: { taints: [{ key: 'drain', effect: 'NoSelect' }] },
  });
  await decideAll(stage.kube, 'site-2');
  const endedAt = new Date().toISOString();
  const lastMove = {
    from: 'site-2',
    to: 'site-1',
    reason: 'Asked',
    result: 'Moved',
    startedAt: endedAt,
    endedAt,
  };
  const moved = { namespace: 'apps', name: 'b-plain', uid: '' };
  await stage.kube.patch(
    CAPP,
    moved,
    { status: { migration: { serving: 'site-1', lastMove } } },
    { subresource: 'status' },
  );
  await eventually(async () => {
    const { capps } = await drain.cappsOn('site-1', null, null);
    expect(capps.map(({ name, to, why }) => [name, to, why])).toEqual([
      ['urgent', null, 'NotGoneYet'],
      ['a-plain', null, 'NotGoneYet'],
      ['b-plain', null, expect.stringMatching(/^CoolDown until \d{4}-/)],
      ['frozen', null, 'Paused'],
      ['pinned', null, 'Pinned'],
    ]);
    return true;
  });
  const plan = await drain.plan('site-1');
  expect(plan).toMatchObject({ moves: { 'site-2': 3 } });
  await decideAll(stage.kube, 'site-1', 'site-2');
  await stage.kube.patch(MANAGED_CLUSTER, cluster, { spec: { taints: [] } });
});

test('works that are extra, being deleted or without a Capp are listed too, each with its reason', async () => {
  await stage.kube.create(NAMESPACE, make(NAMESPACE, { name: 'site-3' }));
  await serve('served-on-2', 'site-2');
  await work('served-on-2', 'site-3');
  await serve('gone-from-3', 'site-2');
  await work('gone-from-3', 'site-3', { leaving: true });
  await work('no-capp', 'site-3');
  await stage.make({ name: 'just-shipped' });
  await work('just-shipped', 'site-3');
  await eventually(async () => {
    const { capps } = await drain.cappsOn('site-3', null, []);
    expect(capps.map(({ name, why }) => [name, why])).toEqual([
      ['gone-from-3', 'StillLeaving'],
      ['just-shipped', null],
      ['no-capp', 'NoCapp'],
      ['served-on-2', 'OtherCopy'],
    ]);
    return true;
  });
});

test('several pages list each Capp once, even if some leave in between', async () => {
  const names = Array.from({ length: 205 }, (_, index) => `many-${String(index).padStart(3, '0')}`);
  for (let start = 0; start < names.length; start += 20) {
    await Promise.all(names.slice(start, start + 20).map((name) => serve(name, 'site-9')));
  }
  const read = async (after: DrainPlace | null): Promise<Residents> => drain.cappsOn('site-9', after, []);
  const first = await eventually(async () => {
    const page = await read(null);
    return page.isLast ||
      caches.capps.list().filter(({ status }) => status?.applicationLinks?.site === 'site-9').length < 205
      ? undefined
      : page;
  });
  expect(first.capps).toHaveLength(200);
  const gone = { namespace: 'apps', name: 'many-000', uid: '' };
  await stage.kube.patch(
    CAPP,
    gone,
    { status: { applicationLinks: { site: 'site-2' } } },
    { subresource: 'status' },
  );
  const second = await read(first.capps.at(-1) ?? null);
  expect(second).toMatchObject({ isLast: true });
  expect([...first.capps, ...second.capps].map(({ name }) => name)).toEqual(names);
});
