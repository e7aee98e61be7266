// The eleven invariants of SIPClusters, by their numbers, each with somebody who tries to break it: storms of
// hand edits and lost writes, two workers at once, people who delete what is in use, and a day in which
// nothing happens.
import { reserve } from '../../../activities/hub/metal/reservation.ts';
import { CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, CLUSTER_NAME, type BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { ALLOW_WIPE } from '../../../crds/metal/labels.ts';
import { SIP_CLUSTER } from '../../../crds/metal/sip-cluster.ts';
import { isConflict } from '../../../kube/failure.ts';
import type { Runtime } from '../../../workflows/engine/runtime.ts';
import { liveInSipCluster } from '../../../workflows/metal/cluster.ts';
import { planHosts } from '../../../workflows/metal/plan/hosts.ts';
import { ChainWorld } from '../../support/builders/metal/chain-world.ts';
import { NAMESPACE, REF, hubInMemory } from '../../support/builders/metal/hub-in-memory.ts';
import { breachOf, caseOf, NOW } from '../../support/builders/metal/inventories.ts';
import { JUMP, look, served } from '../../support/builders/metal/served-hub.ts';
import { stormOf } from '../../support/builders/metal/storm.ts';

/** Storms that every run lives; the soak lives thousands. */
const STORMS = 10;
const storms: (string | null)[] = [];
beforeAll(async () => {
  for (let seed = 0; seed < STORMS; seed += 1) storms.push(await stormOf(seed));
}, 120_000);
const breachesOf = (number: number): string[] =>
  storms.filter((breach) => breach !== null).filter((breach) => breach.startsWith(`${number}. `));

test('the storms break no rule at all', () => {
  expect(storms.filter((breach) => breach !== null)).toEqual([]);
});

test('1. a host is never in two clusters: of two that reserve what both have read, one gets it', async () => {
  expect(breachesOf(1)).toEqual([]);
  const hub = hubInMemory({}, { workers: 0 });
  hub.free('last');
  const [host] = hub.server.all(BARE_METAL_HOST) as BareMetalHost[];
  if (host === undefined) throw new Error('no host');
  const ended = await Promise.allSettled(
    ['a', 'b'].map((name) =>
      reserve(hub.kube, host, { metadata: { namespace: NAMESPACE, name, uid: name } }, 'Worker'),
    ),
  );
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(ended.every((one) => one.status === 'fulfilled' || isConflict(one.reason))).toBe(true);
});

test('2. a cluster never holds more than wanted for a role, except one while a host is replaced', async () => {
  expect(breachesOf(2)).toEqual([]);
  const hub = await served();
  hub.free('a');
  hub.wants(0);
  for (let looks = 0; looks < 4; looks += 1) {
    hub.bringUp();
    await look(hub.kube);
  }
  expect(hub.reserved()).toEqual([]);
});

test('3. no two hosts of a role share a value of the topology, those that it has counted', () => {
  expect(breachesOf(3)).toEqual([]);
  const at = (name: string, owner: 'nobody' | { mine: string }) => ({
    key: `metal/${name}`,
    labels: { rack: 'r1' },
    owner,
    trouble: null,
    failedSince: null,
  });
  const ask = { role: 'Worker', selector: {}, topologyKey: 'rack', wanted: 2 };
  const plan = planHosts([at('own', { mine: 'Worker' }), at('free', 'nobody')], [ask], NOW);
  expect(plan).toMatchObject({ add: [], short: [ask] });
});

test('4. a short cluster holds nothing of what is missing, and a failed claim gives back what it took', async () => {
  expect(breachesOf(4)).toEqual([]);
  const hub = await served();
  hub.free('a');
  hub.wants(9);
  await look(hub.kube);
  expect([hub.condition('HostsReserved'), hub.reserved()]).toEqual(['False Short', ['w1', 'w2']]);
});

test('5. what is added and released is minimal, and never both in one role unless a host is replaced', () => {
  expect(breachesOf(5)).toEqual([]);
  for (let seed = 10_000; seed < 11_000; seed += 1) {
    expect([seed, breachOf(seed)]).toEqual([seed, null]);
    const { hosts, asks } = caseOf(seed);
    const { add, release } = planHosts(hosts, asks, NOW);
    const given = new Set(add.map(({ role }) => role));
    const back = hosts.filter(({ key }) => release.includes(key)).map(({ owner }) => owner);
    expect(back.filter((owner) => typeof owner === 'object' && given.has(owner.mine))).toEqual([]);
  }
});

test('6. after its end nothing of a cluster is left, and nothing of anybody else is touched', async () => {
  expect(breachesOf(6)).toEqual([]);
  const world = await ChainWorld.joined(1);
  world.editHost('a', (one) => ({
    ...one,
    metadata: { ...one.metadata, labels: { ...one.metadata.labels, rack: 'r1' } },
  }));
  world.delete();
  await world.gone();
  expect(world.left()).toEqual(['a rack']);
});

test('7. a host is free for others only when nothing of the cluster is left on or beside it', async () => {
  const hub = await served();
  const beside: string[] = [];
  hub.server.onWrite(({ before, after }) => {
    const [had, has] = [before, after].map((one) => one?.metadata.labels?.[CLUSTER_NAME]);
    if (had === undefined || has !== undefined) return;
    for (const resource of [DEPLOYMENT, CORE_SERVICE])
      beside.push(...hub.server.all(resource).map(({ metadata }) => `${resource.kind} ${metadata.name}`));
  }, BARE_METAL_HOST.plural);
  hub.server.remove(SIP_CLUSTER, REF);
  for (let looks = 0; looks < 3; looks += 1) await look(hub.kube);
  expect(hub.reserved()).toEqual(['w1', 'w2']);
  hub.podsEnd();
  await look(hub.kube);
  expect([hub.reserved(), beside]).toEqual([[], []]);
});

test('8. the same input gives the same plan, in any order', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const { hosts, asks } = caseOf(seed);
    const plan = (all: typeof hosts, roles: typeof asks): string => {
      const { add, release, swap, short } = planHosts(all, roles, NOW);
      return JSON.stringify([add, release, swap, short]);
    };
    for (let turn = 1; turn < hosts.length; turn += 1) {
      const turned = [...hosts.slice(turn), ...hosts.slice(0, turn)];
      expect([seed, plan(turned, asks.toReversed())]).toEqual([seed, plan(hosts, asks)]);
    }
  }
});

test('9. no password of a BMC, token or key is in history, status or anything but Secrets', async () => {
  const canary = 'c4n4ry-S3cret';
  const data = Buffer.from(canary).toString('base64');
  const hub = hubInMemory(JUMP);
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'w1-bmc' }, (before) =>
    before === null ? null : ({ ...before, data: { username: data, password: data } } as typeof before),
  );
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'keys' }, (before) =>
    before === null ? null : ({ ...before, data: { id: data } } as typeof before),
  );
  const said: unknown[] = [await look(hub.kube)];
  hub.bringUp();
  said.push(await look(hub.kube));
  const others = hub.server.whole().filter(([what]) => !what.startsWith('secrets'));
  expect(JSON.stringify(hub.server.all(SECRET))).toContain(data);
  for (const form of [canary, data]) expect(JSON.stringify([said, others])).not.toContain(form);

  const world = new ChainWorld();
  const told: string[] = [];
  world.server.onWrite(({ plural, after }) => {
    if (plural !== SECRET.plural && after !== null) told.push(JSON.stringify(after));
  });
  world.asks(1);
  await world.until(() => {
    told.push(world.says);
    return world.condition('Ready') === 'True ReconciliationSucceeded';
  });
  expect(world.tokens.size).toBeGreaterThan(0);
  for (const token of world.tokens) expect(told.filter((text) => text.includes(token))).toEqual([]);
});

test('10. hosts under a site that serves Capps, or that another hub has as well, are never wiped without a drain or a person’s word', async () => {
  const world = await ChainWorld.joined(2, { hosts: ['a', 'b', 'c'] });
  world.runs('pinned', true);
  const wiped = (): string[] => world.happened.filter((one) => one.endsWith('is wiped'));
  world.wants(0);
  await world.live(20);
  world.editHost('a', (one) => ({ ...one, status: { ...one.status, operationalStatus: 'error' } }));
  await world.live(30);
  world.delete();
  await world.live(30);
  expect([wiped(), world.running.size]).toEqual([[], 3]);
  world.claims('another-hub');
  world.leaves('pinned');
  await world.live(30);
  expect([wiped(), world.running.size]).toEqual([[], 3]);
  world.annotate(ALLOW_WIPE, 'edge-7');
  await world.gone();
  expect(wiped()).toHaveLength(3);
});

test('11. idle: nothing is written, and in a day its workflow looks once', async () => {
  expect(breachesOf(11)).toEqual([]);
  const world = await ChainWorld.joined(1);
  const before = world.server.version();
  const actions: string[] = [];
  let now = 0;
  const runtime = {
    id: () => 'sip/metal/shop',
    now: () => now,
    random: () => 0.5,
    hub: () => ({
      turnSipCluster: async () => {
        actions.push('look');
        return now > 86_400_000 * 1.5 ? { outcome: 'Gone' } : world.look();
      },
    }),
    handle: () => undefined,
    show: () => undefined,
    isLong: () => false,
    until: async (_holds: () => boolean, { ms }: { readonly ms: number }) => {
      actions.push('timer');
      now += ms;
    },
  };
  await liveInSipCluster(runtime as unknown as Runtime);
  expect(actions).toEqual(['look', 'timer', 'look', 'timer', 'look']);
  expect(world.server.version()).toBe(before);
});
