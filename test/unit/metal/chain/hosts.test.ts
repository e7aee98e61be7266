// What becomes of single hosts on the way: they fail, are late, go back, have somebody else’s image, or are
// one more or one less; and of the token that one of them has.
import { ABANDON_HOSTS, ALLOW_WIPE } from '../../../../crds/metal/labels.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { NAMESPACE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld } from '../../../support/builders/metal/chain-world.ts';

const MINUTE = 60_000;

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
  expect(world.message('Provisioned')).toContain('metal/a: provisioning error: the BMC did not answer');
  expect(world.condition('Ready')).toBe('False InfraServiceFailure');
  await world.ready();
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

test('a token that ends on the machine wipes nothing until a person names the host, once', async () => {
  const world = new ChainWorld({ hosts: ['a'], moods: { slow: 25 } });
  world.asks(0, { deadlineSeconds: 600 });
  await world.until(() => world.condition('Joined') === 'False TokenExpired', 120);
  await world.until(() => world.happened.includes('metal/a is turned away'));
  await world.live(20);
  expect(world.happened.filter((one) => one.includes('wiped'))).toEqual([]);
  world.annotate(ALLOW_WIPE, 'metal/a');
  world.edit({ deadlineSeconds: 7_200 });
  await world.ready(120);
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
            metadata: {
              ...before.metadata,
              // As an API server keeps them: one that is taken away is not there.
              annotations: JSON.parse(JSON.stringify({ ...before.metadata.annotations, ...annotations })),
            },
          },
    );
  world.asks(0, { deadlineSeconds: 600 });
  await world.look();
  await world.look();
  edit(away);
  await world.until(() => world.tokens.size >= 3, 100);
  expect(world.condition('Provisioned')).toBe('False HostAway');
  edit({ 'baremetalhost.metal3.io/paused': undefined });
  await world.ready();
});

test('one host less of a site that has joined waits for a person, and is wiped before it is free', async () => {
  const world = await ChainWorld.joined(2, { hosts: ['a', 'b', 'c'] });
  world.wants(1);
  await world.live(5);
  expect(world.message('Provisioned')).toMatch(
    /metal\/c: not needed any more.*nobody has emptied it: there, kubectl drain/,
  );
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
  const world = await ChainWorld.joined(1, { hosts: ['a', 'b', 'c'] });
  world.wants(2);
  await world.look();
  expect(world.condition('Joined')).toBe('True Joined');
  await world.ready();
  expect(world.happened.at(-1)).toBe('metal/c runs');
  expect(world.tokens.size).toBe(1);
});

test('a host that Metal³ does not wipe is not free, until a person gives it back as it is', async () => {
  const world = await ChainWorld.joined(0, {
    hosts: ['a'],
    moods: { mood: (_host, state) => (state === 'deprovisioning' ? 'fails' : null) },
  });
  world.delete();
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  expect(world.message('HostsReserved')).toContain('the BMC did not answer');
  await world.live(20);
  expect(world.happened).not.toContain('metal/a is free');
  world.annotate(ABANDON_HOSTS, 'metal/a');
  await world.gone();
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
  await world.gone();
  expect(world.hosts()[0]?.spec?.image?.url).toBe('https://images.example/theirs');
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
