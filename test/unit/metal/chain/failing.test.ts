// A host that fails again and again, as Metal³ tries it: each time the error is said for a minute or two, is
// taken away, and the host is cleaned and begins once more. Another host takes its place within the time that
// docs/metal.md promises, and what is said of it does not come and go.
import type { NodeSet } from '../../../../crds/metal/sip-cluster.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { ChainWorld } from '../../../support/builders/metal/chain-world.ts';

const MINUTE = 60_000;

interface Heard {
  readonly world: ChainWorld;
  /** Each reason of `Provisioned` once for each time that it came, and the writes of the SIPCluster. */
  readonly provisioned: string[];
  readonly writes: () => number;
}

/** One control plane, of hosts in one rack of which these always fail. */
function failing(hosts: readonly string[], bad: readonly string[], more: NodeSet = {}): Heard {
  const fails = new Set(bad.map((name) => `metal/${name}`));
  const world = new ChainWorld({
    hosts,
    moods: {
      slow: 2,
      mood: (host, state) => (fails.has(host) && state === 'provisioning' ? 'fails' : null),
    },
  });
  const labels = { rack: 'r1' };
  for (const name of hosts)
    world.editHost(name, (one) => ({ ...one, metadata: { ...one.metadata, labels } }));
  world.asks(0);
  world.change(({ spec, ...one }) => ({
    ...one,
    spec: { ...spec, nodes: { ControlPlane: { ...more, count: { active: 1 } } } },
  }));
  const provisioned: string[] = [];
  let written = 0;
  world.server.onWrite(({ after }) => {
    written += 1;
    const { status } = (after ?? {}) as unknown as Partial<SipCluster>;
    const reason = status?.conditions?.find(({ type }) => type === 'Provisioned')?.reason;
    if (reason !== undefined && reason !== provisioned.at(-1)) provisioned.push(reason);
  }, SIP_CLUSTER.plural);
  return { world, provisioned, writes: () => written };
}

const held = (world: ChainWorld): readonly string[] =>
  (world.cluster()?.status?.hosts ?? []).map(({ name }) => name);

test('another host takes its place ten minutes after its first error, and is the site', async () => {
  const { world, provisioned } = failing(['a', 'c'], ['a']);
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  const since = world.now;
  expect(world.message('Provisioned')).toContain('metal/a: provisioning error: the BMC did not answer');
  await world.until(() => held(world).includes('c'));
  expect(world.now - since).toBeGreaterThanOrEqual(10 * MINUTE);
  expect(world.now - since).toBeLessThanOrEqual(11 * MINUTE);
  await world.until(() => held(world).join() === 'c');
  await world.ready();
  expect(world.happened).toContain('metal/a is free');
  expect(world.running).toEqual(new Set(['metal/c']));
  expect(provisioned).toEqual([
    'WaitingForHosts',
    'Provisioning',
    'HostFailed',
    'Provisioning',
    'Provisioned',
  ]);
});

test('also where the role may have one host of their rack, so that it goes before the other comes', async () => {
  const { world } = failing(['a', 'c'], ['a'], { topologyKey: 'rack' });
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  const since = world.now;
  await world.until(() => held(world).join() === 'c');
  // It is cleaned first.
  expect(world.now - since).toBeLessThanOrEqual(20 * MINUTE);
  await world.ready();
  expect(world.happened.filter((one) => one.endsWith('is free'))).toEqual(['metal/a is free']);
});

test('one that has failed is not taken again while there is one that has not', async () => {
  const { world } = failing(['a', 'b', 'c'], ['a', 'b']);
  await world.until(() => held(world).join() === 'c', 120);
  expect(world.cluster()?.status?.passedOver?.map(({ name }) => name)).toEqual(['a', 'b']);
  await world.ready();
  const freed = world.happened.filter((one) => one.endsWith('is free'));
  expect(freed).toEqual(['metal/a is free', 'metal/b is free']);
  const before = world.server.version();
  await world.look();
  expect(world.server.version()).toBe(before);
});

test('where there are no others, the one that failed first is tried again, and none is kept for ever', async () => {
  const { world } = failing(['a', 'b'], ['a', 'b']);
  const had: string[] = [];
  for (let passes = 0; passes < 200; passes += 1) {
    await world.look();
    const now = held(world);
    if (now.length === 1 && now[0] !== had.at(-1)) had.push(now[0] ?? '');
    await world.pass();
  }
  expect(had.slice(0, 4)).toEqual(['a', 'b', 'a', 'b']);
});

test('where there is no other host, one error is said, and nothing but a new token is told while Metal³ tries for hours', async () => {
  const { world, provisioned, writes } = failing(['a'], ['a']);
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  await world.look();
  const [before, tokens] = [writes(), world.tokens.size];
  await world.live(600);
  // While it is available for a moment, an old token in its user data is replaced, and Joined says until
  // when.
  expect(writes() - before).toBe(world.tokens.size - tokens);
  expect(world.tokens.size - tokens).toBeLessThan(8);
  expect(provisioned.at(-1)).toBe('HostFailed');
  expect(world.condition('Ready')).toBe('False InfraServiceFailure');
});

test('one that succeeds at last is well, and nothing is said of its errors any more', async () => {
  const world = new ChainWorld({
    moods: {
      mood: (host, state, nth) =>
        host === 'metal/a' && state === 'provisioning' && nth < 3 ? 'fails' : null,
    },
  });
  world.asks(1);
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  await world.ready();
  expect(world.cluster()?.status?.hosts).toEqual([
    { namespace: 'metal', name: 'a', role: 'ControlPlane' },
    { namespace: 'metal', name: 'b', role: 'Worker' },
  ]);
  expect(world.tokens.size).toBe(1);
});

test('one that cannot be cleaned on the way back says so, and its error does not come and go', async () => {
  const world = await ChainWorld.joined(0, {
    hosts: ['a'],
    moods: { mood: (_host, state) => (state === 'deprovisioning' ? 'fails' : null) },
  });
  world.delete();
  await world.until(() => world.condition('Provisioned') === 'False HostFailed');
  await world.look();
  let written = 0;
  world.server.onWrite(() => void (written += 1), SIP_CLUSTER.plural);
  await world.live(200);
  expect(world.condition('Provisioned')).toBe('False HostFailed');
  expect(written).toBe(0);
});
