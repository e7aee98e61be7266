// A site whose hosts run, and that the hub does not accept or is not being given up: nothing of it is wiped,
// and words of people wipe nothing that comes later.
import { ABANDON_HOSTS, ALLOW_WIPE, JOINED_BY } from '../../../../crds/labels.ts';
import { ChainWorld, SITE, type WorldOptions } from '../../../support/builders/metal/chain-world.ts';

async function joined(workers: number, options: WorldOptions = {}): Promise<ChainWorld> {
  const world = new ChainWorld(options);
  world.asks(workers);
  await world.until(() => world.condition('Ready') === 'True ReconciliationSucceeded');
  world.happened.length = 0;
  return world;
}

const shutOut = (world: ChainWorld): void =>
  world.editManaged((one) => ({ ...one, spec: { ...one.spec, hubAcceptsClient: false } }));

async function live(world: ChainWorld, passes = 10): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await world.look();
    await world.pass();
  }
}

test('a lower count wipes no host of a site that an admin has shut out, and no Capp under it', async () => {
  const world = await joined(2, { hosts: ['a', 'b', 'c'] });
  world.runs('pinned', true);
  shutOut(world);
  world.wants(0);
  await live(world);
  expect(world.happened).toEqual([]);
  expect(world.running.size).toBe(3);
  expect(world.condition('Joined')).toBe('False Stuck');
  expect(world.message('Joined')).toContain('hubAcceptsClient');
});

test('a deletion of a site that an admin has shut out drains it, and waits for its Capps', async () => {
  const world = await joined(1);
  world.runs('pinned', true);
  shutOut(world);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  await live(world);
  expect(world.happened).toEqual([`${SITE} is drained`]);
  world.annotate(ALLOW_WIPE, SITE);
  await world.until(() => world.cluster() === null);
  expect(world.left()).toEqual([]);
});

test('a site that an admin has shut out gets no other token, and does not come back by a word', async () => {
  const world = await joined(0, { hosts: ['a'] });
  shutOut(world);
  world.annotate(ALLOW_WIPE, 'metal/a');
  await live(world);
  expect(world.happened.filter((one) => one.includes('token') || one.includes('joins'))).toEqual([]);
  expect(world.managed()?.spec?.hubAcceptsClient).toBe(false);
});

test('a site that a token was paid for has come, though it is not accepted now', async () => {
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
  await live(world);
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
  await live(world);
  expect(world.message('Provisioned')).toContain('metal/b: not needed any more');
  world.leaves('pinned');
  await live(world, 2);
  expect(world.message('Provisioned')).not.toContain('not needed any more');
});

test('the site’s own name wipes nothing before the SIPCluster is deleted, and is taken away', async () => {
  const world = await joined(2, { hosts: ['a', 'b', 'c'] });
  world.wants(1);
  world.annotate(ALLOW_WIPE, SITE);
  await live(world);
  expect(world.happened).toEqual([]);
  expect(world.cluster()?.metadata.annotations?.[ALLOW_WIPE]).toBeUndefined();
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
});

test('a host that is given back as it is needs another word the next time', async () => {
  const world = await joined(1, {
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
