// Whoever may start activities may ask to remove any copy of a Capp. None goes that users may still be sent
// to, on a real API server with the hub's own rights.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { HAS_PLACEMENT, MIGRATE, ROLLOUT } from '../../../crds/labels.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { aCopy, aPlacing } from '../../support/builders/states.ts';
import { forged, startForgersHub, type ForgersHub } from '../../support/testbeds/hub/forgers-hub.ts';
import type { HubForTests } from '../../support/testbeds/hub/hub.ts';
import { saidToMove } from '../../support/testbeds/hub/moving.ts';

let stage: HubForTests;
let hub: ForgersHub['hub'];
let publish: ForgersHub['publish'];
let victim: ForgersHub['victim'];
beforeAll(async () => {
  ({ stage, hub, publish, victim } = await startForgersHub());
}, 300_000);
afterAll(() => stage?.stop());

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
    await publish(ref, switched);
    expect(await hub.remove(ref, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
  });

  test('of the only copy of a Capp with Recreate needs a move that the status knows', async () => {
    const { ref } = await shipped('recreated', { migration: { strategy: 'Recreate' } });
    const removed = await hub.remove(ref, ['site-1'], { staying: null, until: until() });
    expect(removed).toMatchObject({ leaving: [], objection: { reason: 'NotServing' } });
  });

  test('of both copies of a Capp with Recreate, of which the status says that it moves to one, removes neither', async () => {
    const { ref } = await shipped('both-ends', { migration: { strategy: 'Recreate' } });
    await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [MIGRATE]: 'site-2#1' } } });
    await saidToMove({ hub }, ref);
    const removed = await hub.remove(ref, ['site-1', 'site-2'], { staying: null, until: until() });
    expect(removed).toMatchObject({ leaving: [], objection: { reason: 'NotServing' } });
    expect(await hub.remove(ref, ['site-1'], { staying: null, until: until() })).toEqual({
      leaving: ['site-1'],
    });
  });
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
  await publish(mine, forged(mine, 'site-2'));
  const grounds = { staying: { cluster: 'site-2', stamp }, until: Date.now() + 60_000 };
  expect(await hub.remove(mine, ['site-1'], grounds)).toEqual({ leaving: ['site-1'] });
});
