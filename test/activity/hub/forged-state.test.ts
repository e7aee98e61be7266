// Whoever may start workflows or activities may say anything of a Capp. What Kubernetes does not give a
// reason for is neither shipped, removed nor published, on a real API server with the hub's own rights.
import { hubApply } from '../../../activities/hub/ship/apply.ts';
import { hubPublish } from '../../../activities/hub/status/publish.ts';
import { hubRemove } from '../../../activities/hub/retire/remove.ts';
import { hubTakeUp } from '../../../activities/hub/site/take-up.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { FORCE, HAS_PLACEMENT, MIGRATE, ROLLOUT } from '../../../crds/labels.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { aCopy, aPlacing } from '../../support/builders/states.ts';
import { aCluster, available } from '../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../support/testbeds/hub.ts';
import { decide } from '../../support/testbeds/fleet/decide.ts';
import { sitesAreCached } from '../../support/testbeds/joined-sites.ts';

const PUBLICATION = { record: null, mirror: null, at: Date.now() };
let stage: HubForTests;
let hub: ReturnType<typeof activities>;

function activities(from: HubForTests) {
  const parts = { ...from, hubUid: 'hub-uid', config: RCS_CONFIG_KEY };
  return { ...hubApply(parts), ...hubPublish(parts), ...hubRemove(parts), ...hubTakeUp(parts) };
}

beforeAll(async () => {
  stage = await startHub();
  hub = activities(stage);
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['ours'], placementsNamespace: 'apps', pinning: 'Any' };
  await stage.kube.create(RCS_CONFIG, { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as never);
  for (const name of ['site-1', 'site-2']) {
    await stage.kube.create(MANAGED_CLUSTER, aCluster(name, { region: name }));
    await available(stage.kube, name);
  }
  await sitesAreCached(stage);
  await decide(stage, 'ours', ['site-1']);
}, 300_000);
afterAll(() => stage?.stop());

/** A Capp with a Secret. */
async function victim(name: string, spec: object = {}): Promise<CappRef> {
  const metadata = { namespace: 'apps', name: `${name}-secret` };
  await stage.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    stringData: { key: 'CANARY' },
  } as never);
  const ref = await stage.make({ name });
  const containers = [{ name: 'app', image: 'app:1', envFrom: [{ secretRef: { name: `${name}-secret` } }] }];
  await stage.kube.patch(CAPP, ref, {
    spec: { ...spec, configurationSpec: { template: { spec: { containers } } } },
  });
  await eventually(() => {
    expect(stage.caches.capps.get(ref)).toBeDefined();
    return true;
  });
  return ref;
}

async function worksOf({ namespace, name }: CappRef): Promise<string[]> {
  const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK, {});
  return items
    .filter(({ metadata }) => JSON.stringify(metadata).includes(`${namespace}-${name}`))
    .map(({ metadata }) => metadata.namespace ?? '')
    .toSorted();
}

/** It says that the Capp serves there. */
const forged = (ref: CappRef, cluster: string, more: Partial<State> = {}): State => ({
  ...aPlacing(ref, cluster),
  copies: { [cluster]: aCopy() },
  generation: 9,
  placedFor: '',
  ...more,
});

describe('shipping', () => {
  test.each(['site-2', 'kube-system', 'local-cluster', 'no-such-cluster'])(
    'to %s, which nothing on the hub names, writes nothing',
    async (cluster) => {
      const ref = await victim(`to-${cluster}`);
      const applied = await hub.apply(ref, cluster, forged(ref, cluster), null);
      expect(applied).toMatchObject({ outcome: 'Unwarranted' });
      expect(await worksOf(ref)).toEqual([]);
      const { metadata, status } = await stage.read(ref);
      expect([metadata.annotations?.[HAS_PLACEMENT], status]).toEqual([undefined, undefined]);
    },
  );

  test('to where a decision, spec.site or a request by annotation names it goes on', async () => {
    const decided = await victim('decided');
    expect(await hub.apply(decided, 'site-1', aPlacing(decided), null)).toMatchObject({ outcome: 'Applied' });
    const pinned = await victim('pinned', { site: 'site-2' });
    expect(await hub.apply(pinned, 'site-2', aPlacing(pinned, 'site-2'), null)).toMatchObject({
      outcome: 'Applied',
    });
    for (const annotation of [MIGRATE, FORCE]) {
      const asked = await victim(annotation === MIGRATE ? 'asked' : 'forced');
      await stage.kube.patch(CAPP, asked, { metadata: { annotations: { [annotation]: 'site-2#1' } } });
      expect(await hub.apply(asked, 'site-2', forged(asked, 'site-2'), null)).toMatchObject({
        outcome: 'Applied',
      });
    }
  });

  test('of a Capp that is pinned elsewhere, or that the site does not fit, is not done although a placement names the site', async () => {
    const pinned = await victim('elsewhere', { site: 'site-2' });
    expect(await hub.apply(pinned, 'site-1', forged(pinned, 'site-1'), null)).toMatchObject({
      outcome: 'Unwarranted',
    });
    const unfit = await victim('unfit', { requires: { labels: { matchLabels: { region: 'eu' } } } });
    expect(await hub.apply(unfit, 'site-1', aPlacing(unfit), null)).toMatchObject({ outcome: 'Unwarranted' });
  });

  test('goes on where the status names the site, although no decision does any more, and where the status was lost', async () => {
    const ref = await victim('moved-on');
    const first = await hub.apply(ref, 'site-1', aPlacing(ref), null);
    expect(first).toMatchObject({ outcome: 'Applied' });
    await decide(stage, 'ours', ['site-2']);
    try {
      expect(await hub.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
      await stage.kube.patch(CAPP, ref, { status: null }, { subresource: 'status' });
      expect(await hub.apply(ref, 'site-1', forged(ref, 'site-1'), null)).toMatchObject({
        outcome: 'Applied',
      });
    } finally {
      await decide(stage, 'ours', ['site-1']);
    }
  });

  test('waits for caches that are behind the ring, and a ring without versions does not make an old cache a reason', async () => {
    const ref = await victim('lagging');
    const old = {
      ...stage.caches,
      decisions: { ...stage.caches.decisions, by: () => [], caughtUpWith: () => false },
    };
    const lagging = hubApply({ ...stage, caches: old, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
    const rung = { ...aPlacing(ref), minimumVersions: { PlacementDecision: '99999999' } };
    await expect(lagging.apply(ref, 'site-1', rung, null)).rejects.toMatchObject({ type: 'Conflict' });
    expect(await lagging.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Unwarranted' });
    expect(await worksOf(ref)).toEqual([]);
  });
});

describe('a publication', () => {
  test('of a site that nothing names brings neither status nor annotation there, and a later apply ships nothing', async () => {
    const ref = await victim('published');
    const move = {
      from: 'site-1',
      to: 'site-2',
      reason: 'Asked',
      message: '',
      since: 1,
      deadline: 2,
      strategy: 'MakeBeforeBreak',
      request: null,
      confirmation: 'Given',
    } as const;
    for (const state of [
      forged(ref, 'site-2', { pin: 'site-2' }),
      { ...forged(ref, 'site-2'), serving: 'site-1', move },
      { ...forged(ref, 'site-1'), serving: 'site-1', pin: 'site-2' },
    ]) {
      await hub.publish(ref, { ...state, statusDecidedAt: Date.now() }, PUBLICATION);
      const { metadata, status } = await stage.read(ref);
      expect(
        JSON.stringify([metadata.annotations, status?.migration, status?.sites, status?.applicationLinks]),
      ).not.toContain('site-2');
      expect(await hub.apply(ref, 'site-2', forged(ref, 'site-2'), null)).toMatchObject({
        outcome: 'Unwarranted',
      });
    }
    expect(await worksOf(ref)).not.toContain('site-2');
  });

  test('does not follow a work that the hub has made there for a copy that a site claims to have', async () => {
    const ref = await victim('claimed');
    await hub.apply(ref, 'site-1', aPlacing(ref), null);
    expect(await hub.takeUp(ref, 'site-2')).toEqual({ taken: true });
    await eventually(() => {
      expect(stage.caches.works.by('name', 'mw-create-apps-claimed')).toHaveLength(2);
      return true;
    });
    await hub.publish(ref, { ...forged(ref, 'site-2'), statusDecidedAt: Date.now() }, PUBLICATION);
    expect(JSON.stringify((await stage.read(ref)).status?.migration)).not.toContain('site-2');
    expect(await hub.apply(ref, 'site-2', forged(ref, 'site-2'), null)).toMatchObject({
      outcome: 'Unwarranted',
    });
    const work = await stage.work(ref, 'site-2');
    expect(JSON.stringify(work?.spec)).not.toContain('CANARY');
  });
});

describe('a removal', () => {
  const until = (): number => Date.now() + 60_000;
  async function shipped(name: string, spec: object = {}): Promise<{ ref: CappRef; stamp: string }> {
    const ref = await victim(name, spec);
    expect(await hub.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
    await stage.taken(ref);
    return { ref, stamp: (await stage.work(ref))?.metadata.annotations?.[ROLLOUT] ?? '' };
  }

  test('of the only copy, on the ground that it stays itself, removes nothing', async () => {
    const { ref, stamp } = await shipped('only');
    const staying = { cluster: 'site-1', stamp };
    const removed = await hub.remove(ref, ['site-1'], { staying, until: until() });
    expect(removed).toMatchObject({ leaving: [], objection: { reason: 'NotServing' } });
    expect((await stage.work(ref))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('of the copy that serves, for one on its way, waits until users are sent to that', async () => {
    const { ref } = await shipped('on-its-way');
    await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [MIGRATE]: 'site-2#1' } } });
    const applied = await hub.apply(
      ref,
      'site-2',
      { ...aPlacing(ref), copies: { 'site-1': aCopy(), 'site-2': aCopy() } },
      null,
    );
    const stamp = applied.outcome === 'Applied' ? applied.stamp : '';
    await stage.taken(ref, 'site-2');
    const grounds = { staying: { cluster: 'site-2', stamp }, until: until() };
    expect(await hub.remove(ref, ['site-1'], grounds)).toMatchObject({ objection: { reason: 'NotServing' } });
    const switched = { ...forged(ref, 'site-2'), copies: { 'site-1': aCopy(), 'site-2': aCopy() } };
    await hub.publish(ref, { ...switched, statusDecidedAt: Date.now() }, PUBLICATION);
    expect(await hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
  });

  test('of the only copy of a Capp with Recreate needs a move that the status knows', async () => {
    const { ref } = await shipped('recreated', { migration: { strategy: 'Recreate' } });
    const removed = await hub.remove(ref, ['site-1'], { staying: null, until: until() });
    expect(removed).toMatchObject({ leaving: [], objection: { reason: 'NotServing' } });
  });
});

test('a work for a copy that somebody claims is made for managed clusters alone', async () => {
  const ref = await victim('taken-up');
  expect(await hub.takeUp(ref, 'kube-system')).toEqual({ taken: false });
  expect(await worksOf(ref)).toEqual([]);
});

test('the name that two Capps share is no reason to be where the other one is, whatever a tenant notes', async () => {
  const [mine, theirs] = [await stage.make({ name: 'b-c' }), 'apps-b'];
  await stage.kube.create({ apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: theirs },
  } as never);
  expect(await hub.apply(mine, 'site-1', aPlacing(mine), null)).toMatchObject({ outcome: 'Applied' });
  await stage.taken(mine);
  const { spec } = await stage.read(mine);
  const metadata = { namespace: theirs, name: 'c', annotations: { [HAS_PLACEMENT]: 'site-1' } };
  const { apiVersion, kind } = CAPP;
  const rival = await stage.kube.create<Capp>(CAPP, {
    apiVersion,
    kind,
    metadata,
    spec: { ...spec, site: 'site-2' },
  });
  const ref = { namespace: theirs, name: 'c', uid: rival.metadata.uid ?? '' };
  await eventually(() => {
    expect(stage.caches.capps.get(ref)).toBeDefined();
    return true;
  });
  expect(await hub.apply(ref, 'site-1', forged(ref, 'site-1'), null)).toMatchObject({
    outcome: 'Unwarranted',
  });
  // And the other one’s copy goes when it is to go.
  await stage.kube.patch(CAPP, mine, { metadata: { annotations: { [MIGRATE]: 'site-2#1' } } });
  const applied = await hub.apply(mine, 'site-2', forged(mine, 'site-2'), null);
  const stamp = applied.outcome === 'Applied' ? applied.stamp : '';
  await hub.publish(mine, { ...forged(mine, 'site-2'), statusDecidedAt: Date.now() }, PUBLICATION);
  const grounds = { staying: { cluster: 'site-2', stamp }, until: Date.now() + 60_000 };
  expect(await hub.remove(mine, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
});
