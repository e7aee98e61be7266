// Whoever may start workflows or activities may say anything of a Capp. What Kubernetes does not give a
// reason for is neither shipped nor published, on a real API server with the hub's own rights.
import { hubApply } from '../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { FORCE, HAS_PLACEMENT, MIGRATE } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aPlacing } from '../../support/builders/states.ts';
import { decide } from '../../support/testbeds/fleet/decide.ts';
import {
  CANARY,
  forged,
  MOVE,
  startForgersHub,
  type ForgersHub,
} from '../../support/testbeds/hub/forgers-hub.ts';
import type { HubForTests } from '../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
let hub: ForgersHub['hub'];
let publish: ForgersHub['publish'];
let victim: ForgersHub['victim'];
let worksOf: ForgersHub['worksOf'];
beforeAll(async () => {
  ({ stage, hub, publish, victim, worksOf } = await startForgersHub());
}, 300_000);
afterAll(() => stage?.stop());

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

  test('notes where the Capp was shipped, not where the state says that it serves', async () => {
    const ref = await victim('noted');
    const applied = await hub.apply(ref, 'site-1', forged(ref, 'site-2'), null);
    expect(applied).toMatchObject({ outcome: 'Applied' });
    expect((await stage.read(ref)).metadata.annotations?.[HAS_PLACEMENT]).toBe('site-1');
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
    for (const state of [
      forged(ref, 'site-2', { pin: 'site-2' }),
      { ...forged(ref, 'site-2'), serving: 'site-1', move: MOVE },
      { ...forged(ref, 'site-1'), serving: 'site-1', pin: 'site-2' },
    ]) {
      await publish(ref, state);
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
    await publish(ref, forged(ref, 'site-2'));
    expect(JSON.stringify((await stage.read(ref)).status?.migration)).not.toContain('site-2');
    expect(await hub.apply(ref, 'site-2', forged(ref, 'site-2'), null)).toMatchObject({
      outcome: 'Unwarranted',
    });
    const work = await stage.work(ref, 'site-2');
    for (const value of [CANARY, btoa(CANARY)]) expect(JSON.stringify(work?.spec)).not.toContain(value);
  });
});

test('a work for a copy that somebody claims is made for managed clusters alone', async () => {
  const ref = await victim('taken-up');
  expect(await hub.takeUp(ref, 'kube-system')).toEqual({ taken: false });
  expect(await worksOf(ref)).toEqual([]);
});
