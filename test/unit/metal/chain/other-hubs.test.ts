// A site that another hub has as well: it is not wiped under what runs there for that hub, whoever has taken
// its ManagedCluster away, until a person says so.
import { ALLOW_WIPE, SITE_HUBS, SITE_OF } from '../../../../crds/metal/labels.ts';
import { CAPPS_EXECUTOR_CLAIM } from '../../../../crds/ocm/cluster-claim.ts';
import { cappsExecutor, shortIdOf } from '../../../../crds/ocm/executors.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { NAMESPACE, REF, SITE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld } from '../../../support/builders/metal/chain-world.ts';
import { KINDS, trouble } from '../../../support/builders/metal/trouble.ts';

const OTHER = 'another-hub';
const noted = (world: ChainWorld): string | undefined => world.cluster()?.metadata.annotations?.[SITE_HUBS];

/** With a site that a second hub has as well. */
async function shared(): Promise<ChainWorld> {
  const world = await ChainWorld.joined(1);
  world.claims(OTHER);
  await world.look();
  return world;
}

test('a deletion drains what is of this hub, and then holds: it names the other hub, and the line', async () => {
  const world = await shared();
  world.runs('hello');
  world.delete();
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  await world.live(20);
  expect(world.happened).toEqual([`${SITE} is drained`]);
  expect(world.running.size).toBe(2);
  expect(world.managed()?.metadata.deletionTimestamp).toBeUndefined();
  expect(world.condition('Ready')).toBe('False UnableToDecommission');
  expect(world.message('Joined')).toContain(`is also a site of hub ${shortIdOf(OTHER)},`);
  const line = `kubectl -n ${NAMESPACE} annotate sipcluster ${REF.name} ${ALLOW_WIPE}=${SITE}`;
  expect(world.message('Joined').endsWith(line)).toBe(true);
  const before = world.server.version();
  await world.look();
  expect(world.server.version()).toBe(before);
  world.annotate(ALLOW_WIPE, SITE);
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('it goes on by itself when the other hub has left', async () => {
  const world = await shared();
  world.delete();
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  world.claims();
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('which other hubs a site has is written down once, and again when it changes', async () => {
  const world = await shared();
  expect(noted(world)).toBe(shortIdOf(OTHER));
  const before = world.server.version();
  expect(await world.look()).toMatchObject({ wakeAt: null });
  expect(world.server.version()).toBe(before);
  world.claims(OTHER, 'third');
  await world.look();
  expect(noted(world)?.split(',')).toEqual([shortIdOf(OTHER), shortIdOf('third')].toSorted());
  world.claims();
  await world.look();
  expect(noted(world)).toBeUndefined();
});

test('a site of this hub alone, whose claims name it, is no other hub’s', async () => {
  const world = await ChainWorld.joined(1);
  world.claims();
  await world.look();
  expect(noted(world)).toBeUndefined();
  world.delete();
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('an agent of an earlier version says its hub in the value of a claim: it counts as well', async () => {
  const world = await ChainWorld.joined(1);
  const value = `add-on/${cappsExecutor(OTHER)}`;
  world.editManaged((one) => ({
    ...one,
    status: { ...one.status, clusterClaims: [{ name: CAPPS_EXECUTOR_CLAIM, value }] },
  }));
  world.delete();
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  expect(world.message('Joined')).toContain(shortIdOf(OTHER));
});

test('a second hub that comes while the site is drained holds it', async () => {
  const world = await ChainWorld.joined(1);
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  world.claims(OTHER);
  world.leaves('pinned');
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  expect(world.running.size).toBe(2);
});

test('where somebody deletes the ManagedCluster, which has the claims, the hosts are kept all the same', async () => {
  const world = await shared();
  world.delete();
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  world.loses();
  await world.live(20);
  expect(world.managed()).toBeNull();
  expect(world.condition('Joined')).toBe('False OtherHubs');
  expect(world.message('Joined')).toContain(`ManagedCluster ${SITE} is gone`);
  expect(world.running.size).toBe(2);
  world.annotate(ALLOW_WIPE, SITE);
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('a ManagedCluster that is made again says nothing of other hubs until its site has reported', async () => {
  const world = await shared();
  world.loses();
  await world.until(() => world.managed()?.metadata.annotations?.[SITE_OF] !== undefined);
  await world.live(3);
  expect(noted(world)).toBe(shortIdOf(OTHER));
  world.delete();
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  expect(world.running.size).toBe(2);
});

test('a note of another SIPCluster, copied with the rest of it, holds nothing', async () => {
  const world = await ChainWorld.joined(0, { hosts: ['a'] });
  world.delete();
  await world.gone();
  world.asks(0, {}, 'another-uid');
  world.annotate(SITE_HUBS, shortIdOf(OTHER));
  await world.ready();
  expect(noted(world)).toBeUndefined();
});

/** No host loses its image while the second hub is there. */
async function story(way?: NonNullable<ConstructorParameters<typeof ChainWorld>[0]>['way']): Promise<void> {
  const world = new ChainWorld(way === undefined ? {} : { way });
  let isShared = false;
  const wiped: string[] = [];
  world.server.onWrite(({ before, after }) => {
    const [was, is] = [before, after] as unknown as readonly (BareMetalHost | null)[];
    const loses = (was?.spec?.image?.url ?? '') !== '' && (is?.spec?.image?.url ?? '') === '';
    if (isShared && loses) wiped.push(is?.metadata.name ?? '');
  }, BARE_METAL_HOST.plural);
  world.asks(1);
  await world.ready();
  world.claims(OTHER);
  isShared = true;
  await world.until(() => noted(world) !== undefined);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False OtherHubs');
  world.loses();
  for (let passes = 0; passes < 5; passes += 1) {
    await world.look().catch(() => null);
    await world.pass();
  }
  expect(wiped).toEqual([]);
  isShared = false;
  world.annotate(ALLOW_WIPE, SITE);
  await world.gone();
  expect(world.left()).toEqual([]);
}

const { way: counted, count } = trouble(-10, 'is not done');
await story(counted);
const WRITES = count();

test.each(KINDS)(
  'nothing is wiped under another hub where each write once %s',
  async (kind) => {
    expect(WRITES).toBeGreaterThan(20);
    for (let nth = 1; nth <= WRITES; nth += 1)
      await story(trouble(nth, kind).way).catch((error: unknown) => {
        throw new Error(`write ${nth} ${kind}: ${String(error)}`);
      });
  },
  120_000,
);
