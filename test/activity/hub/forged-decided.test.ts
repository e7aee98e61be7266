// A state of somebody else's, where the Capp's Placement has decided for both sites: what is allowed on each
// of them is still neither published nor kept without a copy there, and what an old cache names is not
// shipped. On a real API server with the hub's own rights.
import { hubApply } from '../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { HAS_PLACEMENT, MIGRATE } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { aPlacing } from '../../support/builders/states.ts';
import { decide } from '../../support/testbeds/fleet/decide.ts';
import { forged, MOVE, startForgersHub, type ForgersHub } from '../../support/testbeds/hub/forgers-hub.ts';

let forgers: ForgersHub;
beforeAll(async () => {
  forgers = await startForgersHub();
  await decide(forgers.stage, 'ours', ['site-1', 'site-2']);
}, 300_000);
afterAll(() => forgers?.stage.stop());

/** Which sites the status and the annotation name, and the pin. */
async function told(ref: CappRef) {
  const { metadata, status } = await forgers.stage.read(ref);
  const { serving, pin } = status?.migration ?? {};
  return { noted: metadata.annotations?.[HAS_PLACEMENT], link: status?.applicationLinks?.site, serving, pin };
}

async function shipped(name: string): Promise<CappRef> {
  const ref = await forgers.victim(name);
  expect(await forgers.hub.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
  await eventually(() => forgers.stage.caches.works.by('name', `mw-create-apps-${name}`).at(0));
  return ref;
}

const serving = (ref: CappRef, cluster: string, more: Partial<State> = {}): State => ({
  ...forged(ref, cluster),
  serving: cluster,
  ...more,
});

test('no users are sent to a site without a copy, although a Placement has decided for it', async () => {
  const ref = await shipped('led-away');
  await forgers.publish(ref, serving(ref, 'site-2'));
  expect(await told(ref)).toMatchObject({ noted: 'site-1', link: 'site-1', serving: 'site-1' });
  await forgers.publish(ref, serving(ref, 'site-1', { move: MOVE }));
  await forgers.publish(ref, serving(ref, 'site-2', { move: MOVE }));
  expect(await told(ref)).toMatchObject({ link: 'site-1', serving: 'site-1' });
  const fresh = await forgers.victim('led-nowhere');
  await forgers.publish(fresh, serving(fresh, 'site-2'));
  expect(await told(fresh)).toEqual({});
});

test('no users are sent there by an annotation that its tenant has written, which the cache has too', async () => {
  const ref = await shipped('led-by-cache');
  await forgers.publish(ref, serving(ref, 'site-1'));
  await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations: { [HAS_PLACEMENT]: 'site-2' } } });
  await eventually(() => {
    const { metadata, status } = forgers.stage.caches.capps.get(ref) ?? {};
    const isSeen = metadata?.annotations?.[HAS_PLACEMENT] === 'site-2' && status?.conditions !== undefined;
    return isSeen ? true : undefined;
  });
  await forgers.publish(ref, serving(ref, 'site-2'));
  expect(await told(ref)).toMatchObject({ link: 'site-1', serving: 'site-1' });
});

test('users are sent to the new copy of a move, which is there', async () => {
  const ref = await shipped('led-on');
  const moving = { ...serving(ref, 'site-1'), move: MOVE };
  expect(await forgers.hub.apply(ref, 'site-2', moving, null)).toMatchObject({ outcome: 'Applied' });
  await forgers.publish(ref, serving(ref, 'site-2', { move: MOVE, pin: 'site-2' }));
  expect(await told(ref)).toMatchObject({ link: 'site-2', serving: 'site-2', pin: 'site-2' });
});

test('no Capp is kept on a site by a pin that nobody asked for', async () => {
  const ref = await shipped('kept');
  await forgers.publish(ref, serving(ref, 'site-1', { pin: 'site-1' }));
  await forgers.publish(ref, serving(ref, 'site-1', { pin: 'site-2' }));
  expect((await told(ref)).pin).toBeUndefined();
  await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations: { [MIGRATE]: 'site-1#1' } } });
  await forgers.publish(ref, serving(ref, 'site-1', { pin: 'site-1' }));
  expect((await told(ref)).pin).toBe('site-1');
});

test('an annotation of a tenant and the work of another Capp whose name runs together bring nothing there', async () => {
  const ref = await forgers.victim('b-shop');
  const metadata = { namespace: 'site-2', name: 'mw-create-apps-b-shop' };
  const rival = { namespace: 'apps-b', name: 'shop' };
  await forgers.stage.make(rival).catch(() => undefined);
  await forgers.stage.kube.create(MANIFEST_WORK, {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata,
    spec: { workload: { manifests: [] } },
  } as never);
  await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations: { [HAS_PLACEMENT]: 'site-2' } } });
  await eventually(() => forgers.stage.caches.works.by('name', metadata.name).at(0));
  await decide(forgers.stage, 'ours', ['site-1']);
  try {
    await forgers.publish(ref, serving(ref, 'site-2', { pin: 'site-2' }));
    expect(await told(ref)).toEqual({});
  } finally {
    await decide(forgers.stage, 'ours', ['site-1', 'site-2']);
  }
});

test('what an old cache still names as decided is not shipped, whatever versions a ring names', async () => {
  const { stage } = forgers;
  const ref = await forgers.victim('of-yesterday');
  const pages = stage.caches.decisions.by('placement', 'apps/ours');
  const old = { ...stage.caches, decisions: { ...stage.caches.decisions, by: () => [...pages] } };
  const lagging = hubApply({ ...stage, caches: old, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
  await decide(stage, 'ours', ['site-1']);
  try {
    for (const minimumVersions of [{}, { PlacementDecision: '1' }]) {
      const rung = { ...aPlacing(ref, 'site-2'), minimumVersions };
      await expect(lagging.apply(ref, 'site-2', rung, null)).rejects.toMatchObject({ type: 'Conflict' });
    }
    expect(await forgers.worksOf(ref)).toEqual([]);
    expect(await lagging.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
  } finally {
    await decide(stage, 'ours', ['site-1', 'site-2']);
  }
});
