// From hosts to a site and back, on a hub in memory with the stand-in for Metal³: what happens, in which
// order, and what is said meanwhile.
import { ABANDON_HOSTS, ALLOW_WIPE, SITE_OF } from '../../../../crds/labels.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import {
  ChainWorld,
  NAMESPACE,
  SITE,
  type WorldOptions,
} from '../../../support/builders/metal/chain-world.ts';

const MINUTE = 60_000;

async function joined(workers = 1, options: WorldOptions = {}): Promise<ChainWorld> {
  const world = new ChainWorld(options);
  world.asks(workers);
  await world.until(() => world.condition('Ready') === 'True ReconciliationSucceeded');
  return world;
}

test('hosts get their image, one of them joins, and the site is a labelled ManagedCluster', async () => {
  const world = await joined();
  expect(world.happened).toEqual([
    'edge-7 is expected',
    'a token is made',
    'metal/a runs, and joins',
    'edge-7 has joined',
    'metal/b runs',
  ]);
  expect(world.condition('Provisioned')).toBe('True Provisioned');
  expect(world.condition('Joined')).toBe('True Joined');
  expect(world.managed()?.metadata.labels).toEqual({ tier: 'edge' });
  expect(world.hosts().map(({ spec }) => [spec?.online, spec?.image?.url, spec?.consumerRef?.name])).toEqual([
    [true, 'https://images.example/os.qcow2', 'shop'],
    [true, 'https://images.example/os.qcow2', 'shop'],
  ]);
  // What Metal³ has read is not left lying about.
  expect(world.left().filter((one) => one.startsWith('Secret'))).toEqual([]);
});

test('at rest it writes nothing, and looks only when something changes', async () => {
  const world = await joined();
  const before = world.server.version();
  expect(await world.look()).toMatchObject({ wakeAt: null });
  expect(world.server.version()).toBe(before);
});

test('a deletion drains, detaches, wipes and frees, in this order', async () => {
  const world = await joined();
  world.runs('hello');
  world.runs('other');
  world.happened.length = 0;
  world.delete();
  await world.until(() => world.cluster() === null);
  expect(world.happened).toEqual([
    'edge-7 is drained',
    'edge-7 is detached',
    'metal/a is wiped',
    'metal/b is wiped',
    'metal/a is free',
    'metal/b is free',
  ]);
  expect(world.left()).toEqual([]);
});

test('while a Capp stays, nothing is detached or wiped, and it says whose word would do it', async () => {
  const world = await joined();
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  for (let passes = 0; passes < 20; passes += 1) {
    await world.pass();
    await world.look();
  }
  expect(world.condition('Ready')).toBe('False UnableToDecommission');
  expect(world.message('Joined')).toContain('team-a/pinned is still there');
  expect(world.message('Joined')).toContain(`${ALLOW_WIPE}=${SITE}`);
  expect(world.running.size).toBe(2);
  expect(world.managed()).not.toBeNull();
  world.annotate(ALLOW_WIPE, 'another-site');
  await world.look();
  expect(world.managed()?.metadata.deletionTimestamp).toBeUndefined();
  world.annotate(ALLOW_WIPE, SITE);
  await world.until(() => world.cluster() === null);
  expect(world.left()).toEqual([]);
});

test('a Capp that goes by itself after the drain lets it go on', async () => {
  const world = await joined();
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  world.leaves('pinned');
  await world.until(() => world.cluster() === null);
});

test.each([
  ['dryRun', 'is a dry run'],
  ['paused', 'is paused'],
] as const)('a Drain of a person that is %s holds it', async (field, words) => {
  const world = await joined();
  world.runs('hello');
  const key = { namespace: null, name: SITE };
  const spec = { dryRun: false, paused: false, [field]: true } as unknown as Drain['spec'];
  world.server.put<Drain>(DRAIN, key, () => ({ ...DRAIN, metadata: { name: SITE }, spec }));
  world.delete();
  await world.until(() => world.condition('Joined') === 'False DrainHeld');
  expect(world.message('Joined')).toContain(words);
  world.server.put<Drain>(DRAIN, key, (before) =>
    before === null ? null : { ...before, spec: { ...spec, dryRun: false, paused: false } },
  );
  await world.until(() => world.cluster() === null);
  // It was not ours to delete.
  expect(world.left()).toEqual([`Drain ${SITE}`]);
});

test('a name that is taken provisions nothing, and is left alone', async () => {
  const world = new ChainWorld();
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: SITE }, () => ({
    metadata: { name: SITE, annotations: { [SITE_OF]: 'another' } },
    spec: { hubAcceptsClient: true },
  }));
  world.asks(1);
  await world.until(() => world.condition('Ready') === 'False InfraServiceFailure');
  expect(world.condition('Joined')).toBe('False NameTaken');
  expect(world.condition('Provisioned')).toBe('False WaitingForSite');
  world.delete();
  await world.until(() => world.cluster() === null);
  expect(world.left()).toEqual([`ManagedCluster ${SITE}`]);
});

test('hosts that Metal³ does not call available are not taken', async () => {
  const world = new ChainWorld({ hosts: ['a'] });
  world.host('b', { externallyProvisioned: true });
  world.asks(1);
  await world.look();
  expect(world.condition('HostsReserved')).toBe('False Short');
  expect(world.message('HostsReserved')).toContain('1 are not available');
});

test('a step that fails is said with what Metal³ says, tried again by Metal³, and wiped by nobody', async () => {
  const world = new ChainWorld({
    moods: {
      mood: (host, state, nth) =>
        host === 'metal/a' && state === 'provisioning' && nth < 4 ? 'fails' : null,
    },
  });
  world.asks(1);
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  expect(world.message('Provisioned')).toContain(
    'metal/a (provisioning): provisioning error: the BMC did not answer',
  );
  expect(world.condition('Ready')).toBe('False InfraServiceFailure');
  await world.until(() => world.condition('Ready') === 'True ReconciliationSucceeded');
  expect(world.happened.filter((one) => one.includes('wiped') || one.includes('token'))).toEqual([
    'a token is made',
  ]);
});

test('a token or a password that Metal³ quotes is not passed on', async () => {
  const world = new ChainWorld({ hosts: ['a'] });
  world.asks(0);
  await world.look();
  await world.look();
  const errorMessage = 'J1ab::edge-7:abcdef.0123456789abcdef@hub:1 of https://root:calvin@192.0.2.1/redfish';
  world.server.put<BareMetalHost>(BARE_METAL_HOST, { namespace: NAMESPACE, name: 'a' }, (before) =>
    before === null
      ? null
      : {
          ...before,
          status: {
            ...before.status,
            operationalStatus: 'error',
            errorType: 'provisioning error',
            errorMessage,
          },
        },
  );
  const turned = await world.look();
  expect(world.message('Provisioned')).toContain(
    'provisioning error: J1ab::edge-7:<token>@hub:1 of https://<credentials>@192.0.2.1/redfish',
  );
  for (const secret of ['0123456789abcdef', 'calvin'])
    expect(JSON.stringify([turned, world.cluster()])).not.toContain(secret);
});

test('a host that goes back to the beginning gets the same token once more', async () => {
  const world = await joined(1, {
    moods: {
      slow: 2,
      mood: (_host, state, nth) => (state === 'provisioning' && nth === 1 ? 'goes back' : null),
    },
  });
  expect(world.happened.filter((one) => one === 'a token is made')).toHaveLength(1);
  expect(world.condition('Joined')).toBe('True Joined');
});

test('a token that ends on the machine wipes nothing until a person names the host, once', async () => {
  const world = new ChainWorld({ hosts: ['a'], moods: { slow: 25 } });
  world.asks(0, { deadlineSeconds: 600 });
  await world.until(() => world.condition('Joined') === 'False TokenExpired', 120);
  await world.until(() => world.happened.includes('metal/a is turned away'));
  for (let passes = 0; passes < 20; passes += 1) {
    await world.pass();
    await world.look();
  }
  expect(world.happened.filter((one) => one.includes('wiped'))).toEqual([]);
  world.annotate(ALLOW_WIPE, 'metal/a');
  world.edit({ deadlineSeconds: 7_200 });
  await world.until(() => world.condition('Ready') === 'True ReconciliationSucceeded', 120);
  expect(world.happened.filter((one) => one.includes('wiped'))).toEqual(['metal/a is wiped']);
  expect(world.cluster()?.metadata.annotations?.[ALLOW_WIPE]).toBeUndefined();
});

test('a token is made anew while nobody has read the old one', async () => {
  const world = new ChainWorld({ hosts: ['a'] });
  const away = { 'baremetalhost.metal3.io/paused': '' };
  const edit = (annotations: object): void =>
    world.server.put(BARE_METAL_HOST, { namespace: NAMESPACE, name: 'a' }, (before) =>
      before === null
        ? null
        : {
            ...before,
            metadata: { ...before.metadata, annotations: { ...before.metadata.annotations, ...annotations } },
          },
    );
  world.asks(0, { deadlineSeconds: 600 });
  await world.look();
  await world.look();
  edit(away);
  await world.until(() => world.tokens.size >= 3, 100);
  expect(world.condition('Provisioned')).toBe('False HostAway');
  edit({ 'baremetalhost.metal3.io/paused': undefined });
  await world.until(() => world.condition('Ready') === 'True ReconciliationSucceeded');
});

test('one host less of a site that has joined waits for a person, and is wiped before it is free', async () => {
  const world = await joined(2, { hosts: ['a', 'b', 'c'] });
  world.happened.length = 0;
  world.wants(1);
  for (let passes = 0; passes < 5; passes += 1) {
    await world.look();
    await world.pass();
  }
  expect(world.message('Provisioned')).toContain('metal/c: not needed any more');
  expect(world.happened).toEqual([]);
  world.annotate(ALLOW_WIPE, 'metal/c');
  await world.until(() => world.happened.includes('metal/c is free'));
  expect(world.happened).toEqual(['metal/c is wiped', 'metal/c is free']);
  await world.look();
  expect(world.cluster()?.metadata.annotations?.[ALLOW_WIPE]).toBeUndefined();
  expect(world.condition('Ready')).toBe('True ReconciliationSucceeded');
  expect(world.left().filter((one) => one.startsWith('c '))).toEqual([]);
});

test('one host more gets its image, and no token', async () => {
  const world = await joined(1, { hosts: ['a', 'b', 'c'] });
  world.wants(2);
  await world.look();
  expect(world.condition('Joined')).toBe('True Joined');
  await world.until(() => world.condition('Ready') === 'True ReconciliationSucceeded');
  expect(world.happened.at(-1)).toBe('metal/c runs');
  expect(world.tokens.size).toBe(1);
});

test('a host that Metal³ does not wipe is not free, until a person gives it back as it is', async () => {
  const world = await joined(0, {
    hosts: ['a'],
    moods: { mood: (_host, state) => (state === 'deprovisioning' ? 'fails' : null) },
  });
  world.delete();
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  expect(world.message('HostsReserved')).toContain('the BMC did not answer');
  for (let passes = 0; passes < 20; passes += 1) {
    await world.pass();
    await world.look();
  }
  expect(world.happened).not.toContain('metal/a is free');
  world.annotate(ABANDON_HOSTS, 'metal/a');
  await world.until(() => world.cluster() === null);
  expect(world.left()).toEqual([]);
});

test('an image of somebody else is neither replaced nor wiped', async () => {
  const world = new ChainWorld({ hosts: ['a'] });
  world.asks(0);
  await world.look();
  await world.look();
  world.server.put<BareMetalHost>(BARE_METAL_HOST, { namespace: NAMESPACE, name: 'a' }, (before) =>
    before === null
      ? null
      : {
          ...before,
          metadata: { ...before.metadata, annotations: {} },
          spec: { ...before.spec, image: { url: 'https://images.example/theirs' } },
        },
  );
  await world.look();
  expect(world.condition('Provisioned')).toBe('False ForeignImage');
  world.delete();
  await world.until(() => world.cluster() === null);
  expect(world.hosts()[0]?.spec?.image?.url).toBe('https://images.example/theirs');
});

test('a Secret of a template that is not there is named, and holds that role alone', async () => {
  const world = new ChainWorld();
  world.server.put(SECRET, { namespace: NAMESPACE, name: 'template-worker' }, () => null);
  world.asks(1);
  await world.until(() => world.condition('Joined') === 'True Joined');
  expect(world.condition('Provisioned')).toBe('False BadUserData');
  expect(world.message('Provisioned')).toContain('Secret metal/template-worker is not there');
});

test('an edit of the labels reaches the site, and those of others stay', async () => {
  const world = await joined();
  const key = { namespace: null, name: SITE };
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, key, (before) =>
    before === null
      ? null
      : { ...before, metadata: { ...before.metadata, labels: { ...before.metadata.labels, own: 'x' } } },
  );
  world.edit({ labels: { region: 'eu' }, clusterSet: 'edge' });
  await world.look();
  expect(world.managed()?.metadata.labels).toEqual({
    own: 'x',
    region: 'eu',
    'cluster.open-cluster-management.io/clusterset': 'edge',
  });
});

test('hosts that take longer than the deadline are named as late, and waited for', async () => {
  const world = new ChainWorld({ hosts: ['a'], moods: { slow: 1_000 } });
  world.asks(0, { deadlineSeconds: 600 });
  await world.look();
  world.now += 11 * MINUTE;
  await world.look();
  expect(world.condition('Provisioned')).toBe('False Late');
  expect(world.message('Provisioned')).toContain('metal/a is available, after 10 minutes');
});
