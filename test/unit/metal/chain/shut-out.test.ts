// A site whose hosts run, and that the hub does not accept or is not being given up: nothing of it is wiped,
// and words of people wipe nothing that comes later.
import { JOINED_BY } from '../../../../crds/join/labels.ts';
import { recordMap } from '../../../../crds/join/name-record.ts';
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { ABANDON_HOSTS, ALLOW_WIPE, SITE_CAME, SITE_OF } from '../../../../crds/metal/labels.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { SITE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld } from '../../../support/builders/metal/chain-world.ts';

const DAY = 86_400_000;

const shutOut = (world: ChainWorld): void =>
  world.editManaged((one) => ({ ...one, spec: { ...one.spec, hubAcceptsClient: false } }));

/** The hub has noted that an agent of this ManagedCluster may have a certificate for the name. */
const isKept = (world: ChainWorld, uid = ''): void =>
  world.add(CONFIG_MAP, { ...recordMap(SITE, { uid, lifeMs: DAY, endsAt: world.now + DAY }) });

test('a lower count wipes no host of a site that an admin has shut out, and no Capp under it', async () => {
  const world = await ChainWorld.joined(2, { hosts: ['a', 'b', 'c'] });
  world.runs('pinned', true);
  shutOut(world);
  world.wants(0);
  await world.live();
  expect(world.happened).toEqual([]);
  expect(world.running.size).toBe(3);
  expect(world.condition('Joined')).toBe('False Stuck');
  expect(world.message('Joined')).toContain('hubAcceptsClient');
});

test('a deletion of a site that an admin has shut out drains it, and waits for its Capps', async () => {
  const world = await ChainWorld.joined(1);
  world.runs('pinned', true);
  shutOut(world);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  await world.live();
  expect(world.happened).toEqual([`${SITE} is drained`]);
  world.annotate(ALLOW_WIPE, SITE);
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('a site that an admin has shut out gets no other token, and does not come back by a word', async () => {
  const world = await ChainWorld.joined(0, { hosts: ['a'] });
  shutOut(world);
  world.annotate(ALLOW_WIPE, 'metal/a');
  await world.live();
  expect(world.happened.filter((one) => one.includes('token') || one.includes('joins'))).toEqual([]);
  expect(world.managed()?.spec?.hubAcceptsClient).toBe(false);
});

test('a site has come once its token was used, though it is not accepted now', async () => {
  const world = new ChainWorld({ hosts: ['a', 'b'], moods: { slow: 1_000 } });
  world.asks(1);
  await world.look();
  await world.look();
  world.editManaged(({ metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [JOINED_BY]: 'a/b/c' } },
  }));
  const tokens = world.tokens.size;
  world.wants(0);
  world.now += 80 * 60_000;
  await world.live();
  expect(world.tokens.size).toBe(tokens);
  expect(world.message('Provisioned')).toContain('metal/b: not needed any more');
  world.delete();
  await world.until(() => world.happened.includes(`${SITE} is drained`));
});

test('a host of a site that never joined is not wiped by itself while works of Capps are there', async () => {
  const world = new ChainWorld({ hosts: ['a', 'b'], moods: { slow: 1_000 } });
  world.asks(1);
  await world.look();
  await world.look();
  world.runs('pinned', true);
  world.wants(0);
  await world.live();
  expect(world.message('Provisioned')).toContain('metal/b: not needed any more');
  world.leaves('pinned');
  await world.live(2);
  expect(world.message('Provisioned')).not.toContain('not needed any more');
});

test('a site that never joined is drained while works of Capps are there, and goes by a word of a person', async () => {
  const world = new ChainWorld({
    moods: { mood: (_host, state) => (state === 'provisioning' ? 'fails' : null) },
  });
  world.asks(1);
  await world.live(3);
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  expect(world.happened).toContain(`${SITE} is drained`);
  expect(world.happened).not.toContain(`${SITE} is detached`);
  world.annotate(ALLOW_WIPE, SITE);
  await world.until(() => world.happened.includes(`${SITE} is detached`));
});

test('the site’s own name wipes nothing before the SIPCluster is deleted, and is taken away', async () => {
  const world = await ChainWorld.joined(2, { hosts: ['a', 'b', 'c'] });
  world.wants(1);
  world.annotate(ALLOW_WIPE, SITE);
  await world.live();
  expect(world.happened).toEqual([]);
  expect(world.cluster()?.metadata.annotations?.[ALLOW_WIPE]).toBeUndefined();
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
});

test('a host that is given back as it is needs another word the next time', async () => {
  const world = await ChainWorld.joined(1, {
    moods: { mood: (_host, state) => (state === 'deprovisioning' ? 'fails' : null) },
  });
  world.wants(0);
  world.annotate(ALLOW_WIPE, 'metal/b');
  await world.until(
    () =>
      world.condition('Provisioned') === 'True Provisioned' &&
      world.hosts()[1]?.status?.operationalStatus === 'error',
  );
  world.annotate(ABANDON_HOSTS, 'metal/b');
  await world.until(() => world.happened.includes('metal/b is free'));
  await world.look();
  expect(world.cluster()?.metadata.annotations?.[ABANDON_HOSTS]).toBeUndefined();
});

async function loses(world: ChainWorld): Promise<void> {
  world.loses();
  for (let passes = 0; passes < 2; passes += 1) await world.pass();
  expect(world.managed()).toBeNull();
}

test.each(['before', 'after'])(
  'a count that is lowered %s the ManagedCluster of a site that has joined is deleted wipes no node of it',
  async (when) => {
    const world = await ChainWorld.joined(2, { hosts: ['a', 'b', 'c'] });
    if (when === 'before') {
      world.wants(0);
      await world.look();
    }
    await loses(world);
    if (when === 'after') world.wants(0);
    await world.live();
    expect(world.happened.filter((one) => !one.startsWith(SITE))).toEqual([]);
    expect(world.running.size).toBe(3);
    expect(world.message('Provisioned')).toContain('metal/b, metal/c: not needed any more');
    world.annotate(ALLOW_WIPE, 'metal/c');
    await world.until(() => world.happened.includes('metal/c is free'));
  },
);

test('a site whose ManagedCluster was deleted and made again gets no other token, and is drained before it goes', async () => {
  const world = await ChainWorld.joined(1);
  isKept(world, world.managed()?.metadata.uid);
  await loses(world);
  await world.live();
  expect(world.happened).toEqual([`${SITE} is detached`, `${SITE} is expected`]);
  expect(world.condition('Joined')).toBe('False Stuck');
  expect(world.message('Joined')).toContain('made again');
  expect(world.message('Joined')).toContain('--existing --reuse-name');
  expect(world.condition('Ready')).toBe('False InfraServiceFailure');
  world.delete();
  await world.gone();
  expect(world.happened.slice(2, 4)).toEqual([`${SITE} is drained`, `${SITE} is detached`]);
  expect(world.left()).toEqual([]);
});

test('a name that another site had is refused to a SIPCluster whose site never came', async () => {
  const world = new ChainWorld();
  isKept(world, 'former-uid');
  world.asks(1);
  await world.live(4);
  expect(world.condition('Joined')).toBe('False NameTaken');
  expect(world.managed()).toBeNull();
});

test('that the site has come is written on its SIPCluster, before anything else that is to be done', async () => {
  const world = await ChainWorld.joined(2, { hosts: ['a', 'b', 'c'] });
  world.change(({ metadata: { annotations: _gone, ...metadata }, ...one }) => ({ ...one, metadata }));
  const written: string[] = [];
  world.server.onWrite(({ by, plural }) => {
    if (by === 'hub') written.push(plural);
  });
  world.wants(1);
  world.edit({ labels: { tier: 'far' } });
  world.annotate(ALLOW_WIPE, 'metal/c');
  await world.look();
  expect(written.slice(0, 2).toSorted()).toEqual(['managedclusters', 'sipclusters']);
  expect(written[0]).toBe('sipclusters');
  expect(world.cluster()?.metadata.annotations?.[SITE_CAME]).toBe('shop-uid');
});

test.each<[string, (managed: ManagedCluster) => ManagedCluster]>([
  [
    'somebody else’s',
    (one) => ({ ...one, metadata: { ...one.metadata, annotations: { [SITE_OF]: 'another' } } }),
  ],
  [
    'being deleted',
    ({ metadata, ...one }) => ({
      ...one,
      metadata: { ...metadata, deletionTimestamp: '2026-03-01T12:00:00Z', finalizers: ['of/another'] },
    }),
  ],
])(
  'a host is not wiped by itself while the ManagedCluster is %s, though nobody has come',
  async (_is, edit) => {
    const world = new ChainWorld({ hosts: ['a', 'b'], moods: { slow: 1_000 } });
    world.asks(1);
    await world.look();
    await world.look();
    world.editManaged(edit);
    world.wants(0);
    await world.look();
    expect(world.message('Provisioned')).toContain('metal/b: not needed any more');
    expect(world.hosts()[1]?.spec?.image).not.toBeNull();
  },
);
