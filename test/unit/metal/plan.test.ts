// The planner of hosts: on thousands of small inventories against every other way to do it, and cases by
// name. The soak does a hundred thousand.
import { planHosts } from '../../../workflows/metal/plan/hosts.ts';
import type { RoleAsk, SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { shortage } from '../../../workflows/metal/plan/words.ts';
import { breachOf, NOW } from '../../support/builders/metal/inventories.ts';

const MINUTE = 60_000;

const host = (name: string, more: Partial<SeenHost> = {}): SeenHost => ({
  key: `metal/${name}`,
  labels: { flavor: 'worker' },
  owner: 'nobody',
  trouble: null,
  failedSince: null,
  ...more,
});
const has = (name: string, role: string, more: Partial<SeenHost> = {}) =>
  host(name, { owner: { mine: role }, ...more });
const ask = (role: string, wanted: number, more: Partial<RoleAsk> = {}): RoleAsk => ({
  role,
  wanted,
  selector: {},
  topologyKey: null,
  ...more,
});
const at = (rack: string) => ({ labels: { flavor: 'worker', rack } });
const byRack = { topologyKey: 'rack' };
const keysOf = (given: readonly { readonly key: string }[]) => given.map(({ key }) => key).toSorted();

test('no plan for 4,000 seeded inventories breaks a rule', () => {
  const breaches = Array.from({ length: 4_000 }, (_, seed) => [seed, breachOf(seed)] as const);
  expect(breaches.filter(([, breach]) => breach !== null).slice(0, 5)).toEqual([]);
});

test('a host that only one role can have goes to that role, whoever is first', () => {
  const hosts = [
    host('a', { labels: { flavor: 'both', rack: 'r1' } }),
    host('b', { labels: { flavor: 'both', rack: 'r2', big: 'true' } }),
  ];
  const plan = planHosts(
    hosts,
    [ask('ControlPlane', 1), ask('Worker', 1, { selector: { matchLabels: { rack: 'r1' } } })],
    NOW,
  );
  expect(plan.add).toEqual([
    { key: 'metal/b', role: 'ControlPlane' },
    { key: 'metal/a', role: 'Worker' },
  ]);
});

test('a role that changes its host within a rack lets another role have the first one', () => {
  const hosts = [host('a', at('r1')), host('b', { labels: { flavor: 'x', rack: 'r1' } })];
  const plan = planHosts(
    hosts,
    [ask('ControlPlane', 1, byRack), ask('Worker', 1, { selector: { matchLabels: { flavor: 'worker' } } })],
    NOW,
  );
  expect(plan.add).toEqual([
    { key: 'metal/b', role: 'ControlPlane' },
    { key: 'metal/a', role: 'Worker' },
  ]);
});

test('a cluster that has what it wants is not short where no host is free', () => {
  const plan = planHosts([has('a', 'Worker')], [ask('Worker', 1)], NOW);
  expect(plan).toMatchObject({ add: [], release: [], swap: null, short: null });
});

test('of what is missing nothing is reserved when not all of it is there', () => {
  const plan = planHosts([host('a'), host('b')], [ask('ControlPlane', 1), ask('Worker', 2)], NOW);
  expect(plan.add).toEqual([]);
  expect(plan.short?.map(({ role }) => role)).toEqual(['ControlPlane', 'Worker']);
});

test('a smaller cluster gives back exactly what it has beyond, the failed one first, then what fits no more', () => {
  const all = [
    has('a', 'Worker', { labels: {} }),
    has('b', 'Worker'),
    has('c', 'Worker', { failedSince: NOW }),
    has('d', 'Worker'),
    host('free'),
  ];
  const wants = (wanted: number) =>
    planHosts(all, [ask('Worker', wanted, { selector: { matchLabels: { flavor: 'worker' } } })], NOW);
  expect(wants(4).release).toEqual([]);
  expect(wants(3).release).toEqual(['metal/c']);
  expect(wants(2).release).toEqual(['metal/c', 'metal/a']);
  expect(wants(1).release).toEqual(['metal/c', 'metal/a', 'metal/d']);
  expect(wants(1).add).toEqual([]);
});

test('of hosts that have failed, the one that is due first goes first: another has come for it', () => {
  const failed = (name: string, minutes: number, trouble: 'InError' | 'Leaving' = 'InError') =>
    has(name, 'Worker', { trouble, failedSince: NOW - minutes * MINUTE });
  const release = (...hosts: readonly SeenHost[]) => planHosts(hosts, [ask('Worker', 1)], NOW).release;
  expect(release(failed('a', 10), failed('b', 1))).toEqual(['metal/a']);
  expect(release(failed('a', 1), failed('b', 10))).toEqual(['metal/b']);
  expect(release(failed('a', 5, 'Leaving'), failed('b', 9))).toEqual(['metal/a']);
});

test('a changed selector or rack alone takes no host away', () => {
  const all = [has('a', 'Worker', at('r1')), has('b', 'Worker', at('r1'))];
  const moved = ask('Worker', 2, { ...byRack, selector: { matchLabels: { flavor: 'another' } } });
  expect(planHosts(all, [moved], NOW)).toMatchObject({ add: [], release: [], swap: null, short: null });
});

test('a role that is not asked for any more gives all of its hosts back', () => {
  const plan = planHosts([has('a', 'Worker'), has('b', 'Former')], [ask('Worker', 1)], NOW);
  expect(plan.release).toEqual(['metal/b']);
});

test('racks of hosts that the cluster has are taken', () => {
  const all = [has('a', 'Worker', at('r1')), host('b', at('r1')), host('c', at('r2'))];
  expect(keysOf(planHosts(all, [ask('Worker', 2, byRack)], NOW).add)).toEqual(['metal/c']);
  expect(planHosts(all, [ask('Worker', 3, byRack)], NOW).short).not.toBeNull();
});

test('hosts without the label of the topology, or without a value, are not limited', () => {
  const all = [
    host('a'),
    host('b'),
    host('c', { labels: { rack: '' } }),
    host('d', { labels: { rack: '' } }),
  ];
  expect(planHosts(all, [ask('Worker', 4, byRack)], NOW).add).toHaveLength(4);
});

test('a label that every object inherits is no topology', () => {
  const all = [host('a'), host('b')];
  expect(planHosts(all, [ask('Worker', 2, { topologyKey: 'constructor' })], NOW).add).toHaveLength(2);
});

test('a host in error is replaced after ten minutes, one at a time, and by none where none is free', () => {
  const failed = (name: string, minutes: number) =>
    has(name, 'Worker', { trouble: 'InError', failedSince: NOW - minutes * MINUTE });
  const soon = planHosts([failed('a', 9), host('b')], [ask('Worker', 1)], NOW);
  expect(soon).toMatchObject({ swap: null, replaceAt: NOW + MINUTE });
  const all = [failed('a', 10), failed('b', 11), host('c'), host('d')];
  const plan = planHosts(all, [ask('Worker', 2)], NOW);
  expect(plan).toMatchObject({ add: [], release: [], swap: { failed: 'metal/a', by: { key: 'metal/c' } } });
  expect(planHosts([failed('a', 99)], [ask('Worker', 1)], NOW)).toMatchObject({ swap: null, release: [] });
});

test('a host that somebody deletes is replaced at once, also within its own rack', () => {
  const leaving = has('a', 'Worker', { ...at('r1'), trouble: 'Leaving', failedSince: NOW });
  const plan = planHosts([leaving, host('b', at('r1'))], [ask('Worker', 1, byRack)], NOW);
  expect(plan.swap).toEqual({
    failed: 'metal/a',
    by: { key: 'metal/b', role: 'Worker' },
    isInOneDomain: true,
  });
});

test('a shortage says for each role what is wanted, what is there, and what is the matter with the others', () => {
  const all = [
    has('a', 'Worker', at('r1')),
    host('b', { ...at('r2'), owner: 'another' }),
    host('c', { ...at('r3'), trouble: 'NoNetworkData' }),
    host('d', at('r1')),
    host('e', at('r4')),
    host('f', at('r4')),
    host('g'),
    host('h', { labels: {}, trouble: 'InError' }),
  ];
  const asks = [ask('Worker', 9, { ...byRack, selector: { matchLabels: { flavor: 'worker' } } })];
  expect(shortage(all, planHosts(all, asks, NOW))).toBe(
    'Worker: 9 wanted, 1 reserved; of 6 others that match, 1 belong to others, 1 have no spec.networkData, 1 share rack with a host that the role has, 1 share rack with another free one, 2 are free for it. Nothing is reserved until all that is missing is free.',
  );
  expect(shortage([], planHosts([], [ask('Worker', 1)], NOW))).toContain(
    '0 reserved; no other host matches.',
  );
});

test('50 clusters are planned over 500 hosts before anybody waits for it', () => {
  const all = Array.from({ length: 500 }, (_, index) => host(`h${index}`, at(`r${index % 125}`)));
  const asks = [ask('ControlPlane', 3, byRack), ask('Worker', 10, byRack)];
  for (let cluster = 0; cluster < 50; cluster += 1) expect(planHosts(all, asks, NOW).add).toHaveLength(13);
});
