// Which Capps are on a cluster and where they would go, from caches of a real API server.
import { hubCaches, type HubCaches } from '../../../../activities/hub/caches.ts';
import { hubDrain } from '../../../../activities/hub/drain/drain.ts';
import { hubChoose } from '../../../../activities/hub/place/choose.ts';
import { outlooksOn } from '../../../../activities/hub/suppose/outlook.ts';
import type { Supposition } from '../../../../activities/hub/suppose/world.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { CAPP_NAME, CAPP_NAMESPACE, PAUSED, PRIORITY } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { allSynced, stopAll } from '../../../../kube/watch/cache.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Residents } from '../../../../workflows/drain/residents.ts';
import type { Place } from '../../../../workflows/drain/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub.ts';

let stage: HubForTests;
let caches: HubCaches;
let drain: Pick<Hub, 'cappsOn' | 'plan'>;

const make = (resource: { apiVersion: string; kind: string }, metadata: object, rest: object = {}) =>
  ({ apiVersion: resource.apiVersion, kind: resource.kind, metadata, ...rest }) as never;

beforeAll(async () => {
  stage = await startHub();
  caches = hubCaches(stage.kube, () => undefined);
  await allSynced(caches);
  drain = hubDrain({ caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
  await prepare();
}, 300_000);
afterAll(async () => {
  await stopAll(caches);
  await stage.stop();
});

/** The decisions of placement `all` contain site-1 and site-2. */
async function prepare(): Promise<void> {
  const { kube } = stage;
  await kube.create(
    RCS_CONFIG,
    make(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: ['all'], placementsNamespace: 'placements' } }),
  );
  await kube.create(PLACEMENT, make(PLACEMENT, { namespace: 'placements', name: 'all' }));
  const labels = { [PLACEMENT_LABEL]: 'all' };
  await kube.create(
    PLACEMENT_DECISION,
    make(PLACEMENT_DECISION, { namespace: 'placements', name: 'all-decision-1', labels }),
  );
  const decisions = ['site-1', 'site-2'].map((clusterName) => ({ clusterName, reason: '' }));
  const key = { namespace: 'placements', name: 'all-decision-1' };
  await kube.patch(PLACEMENT_DECISION, key, { status: { decisions } }, { subresource: 'status' });
  for (const name of ['site-1', 'site-2']) {
    await kube.create(MANAGED_CLUSTER, make(MANAGED_CLUSTER, { name }, { spec: { hubAcceptsClient: true } }));
    const conditions = [{ type: 'ManagedClusterConditionAvailable', status: 'True' }];
    await kube.patch(
      MANAGED_CLUSTER,
      { namespace: null, name },
      { status: { conditions } },
      { subresource: 'status' },
    );
  }
}

async function decide(...clusters: string[]): Promise<void> {
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: '' }));
  const key = { namespace: 'placements', name: 'all-decision-1' };
  await stage.kube.patch(PLACEMENT_DECISION, key, { status: { decisions } }, { subresource: 'status' });
  const status = { numberOfSelectedClusters: clusters.length };
  await stage.kube.patch(
    PLACEMENT,
    { namespace: 'placements', name: 'all' },
    { status },
    { subresource: 'status' },
  );
}

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

async function serve(
  name: string,
  site: string,
  wish: { annotations?: object; spec?: Record<string, unknown> } = {},
): Promise<void> {
  const ref = await stage.make({ name, ...(wish.spec === undefined ? {} : { spec: wish.spec }) });
  if (wish.annotations !== undefined)
    await stage.kube.patch(CAPP, ref, { metadata: { annotations: wish.annotations } });
  await stage.kube.patch(CAPP, ref, { status: { applicationLinks: { site } } }, { subresource: 'status' });
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
  await decide('site-2');
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
  await decide('site-1', 'site-2');
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
  const read = async (after: Place | null): Promise<Residents> => drain.cappsOn('site-9', after, []);
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

describe('what the loss or a taint of a site would do is what a look then finds', () => {
  const WISHES = {
    free: {},
    bound: { site: 'site-1' },
    manual: { migration: { policy: 'Manual' } },
  };
  const names = Object.keys(WISHES);
  const history = {
    placedFor: null,
    pin: null,
    home: null,
    request: null,
    annotated: { migrate: null, force: null },
    copies: ['site-1'],
  };
  const key = { namespace: null, name: 'site-1' };
  const options = () => ({ caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });

  /** Of the Capps of this test: what would become of each, and the site that it would move to. */
  const said = (supposition: Supposition) =>
    outlooksOn(options(), { site: 'site-1', supposition, spreads: [] }, Date.now())
      .map(({ name, does, to, reason }) => ({ name: name.split('/')[1] ?? '', does, to, reason }))
      .filter(({ name }) => names.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));

  /** The same, by what the hub worker now chooses. */
  const found = async () => {
    const { choose } = hubChoose({ ...options(), kube: stage.kube });
    return Promise.all(
      names.toSorted().map(async (name) => {
        const capp = caches.capps.get({ namespace: 'apps', name });
        const ref = { namespace: 'apps', name, uid: capp?.metadata.uid ?? '' };
        const ask = { minimumVersions: {}, present: 'site-1', avoid: {}, works: [], history };
        const choice = await choose(ref, ask);
        if (choice.outcome === 'Leaves') return { name, does: 'Moves', to: choice.to, reason: choice.reason };
        return choice.outcome === 'Stays'
          ? { name, does: 'Stays', to: null, reason: choice.reason }
          : { name, does: choice.outcome, to: null, reason: '' };
      }),
    );
  };

  const setSite = async (taints: readonly object[], status: 'True' | 'Unknown') => {
    await stage.kube.patch(MANAGED_CLUSTER, key, { spec: { taints } });
    const conditions = [{ type: 'ManagedClusterConditionAvailable', status }];
    await stage.kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
  };

  beforeAll(async () => {
    for (const [name, spec] of Object.entries(WISHES)) await serve(name, 'site-1', { spec });
  });
  beforeEach(async () => {
    await setSite([], 'True');
    await decide('site-1', 'site-2');
    await eventually(async () => {
      expect(await found()).toEqual(
        names.toSorted().map((name) => expect.objectContaining({ name, does: 'Stays' })),
      );
      expect((await found()).find(({ name }) => name === 'free')?.reason).toBe('NotMoving');
      return true;
    });
  });

  const taint = { key: 'maintenance', effect: 'NoSelect' } as const;
  test.each<[string, Supposition, object[], 'True' | 'Unknown', string]>([
    ['lost', { is: 'Lost' }, [], 'Unknown', 'SiteLost'],
    ['tainted', { is: 'Tainted', taint }, [taint], 'True', 'Tainted'],
  ])('%s', async (_, supposition, taints, status, reason) => {
    // Each cache is as new as its own watch.
    const plan = await eventually(() => {
      const outlooks = said(supposition);
      expect(outlooks).toEqual([
        { name: 'bound', does: 'Stays', to: null, reason: 'Pinned' },
        { name: 'free', does: 'Moves', to: 'site-2', reason },
        { name: 'manual', does: 'Stays', to: null, reason: 'Manual' },
      ]);
      return outlooks;
    });
    await setSite(taints, status);
    await decide('site-2');
    await eventually(async () => {
      expect(await found()).toEqual(plan);
      return true;
    });
  });

  test('a Placement that tolerates the taint for a time says so, and one that tolerates it for good keeps the Capps', async () => {
    const tolerate = async (toleration: object) => {
      const body = { spec: { tolerations: [{ key: 'maintenance', operator: 'Exists', ...toleration }] } };
      await stage.kube.patch(PLACEMENT, { namespace: 'placements', name: 'all' }, body);
    };
    const free = () =>
      outlooksOn(
        options(),
        { site: 'site-1', supposition: { is: 'Tainted', taint }, spreads: [] },
        Date.now(),
      ).find(({ name }) => name === 'apps/free');
    await tolerate({ tolerationSeconds: 300 });
    await eventually(() => {
      expect(free()).toMatchObject({ does: 'Moves', afterSeconds: 300, isEstimate: true });
      return true;
    });
    await tolerate({});
    await eventually(() => {
      expect(free()).toMatchObject({ does: 'Stays', reason: 'StillSelected', isEstimate: true });
      return true;
    });
  });
});
