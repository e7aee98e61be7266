// The worst that fits, by those who write SIPClusters and BareMetalHosts: how much is kept of a host, and how
// long a plan holds the hub worker's thread.
import { readGround } from '../../../activities/hub/metal/ground.ts';
import { matcherOf, selects, type LabelSelector } from '../../../crds/kubernetes/label-selector.ts';
import { isAway, troubleOf, type BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { RESERVED_FOR } from '../../../crds/metal/labels.ts';
import { slimHost } from '../../../crds/metal/slim-host.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { ListOptions } from '../../../kube/watch/list.ts';
import { planHosts } from '../../../workflows/metal/plan/hosts.ts';
import type { RoleAsk, SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { shortage } from '../../../workflows/metal/plan/words.ts';
import { timesAsLong } from '../../support/pace.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ROLES = 16;

const hostsOf = (count: number, plain: Partial<SeenHost> = {}): SeenHost[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `metal/h${String(index).padStart(5, '0')}`,
    labels: { rack: `r${index}`, kind: 'large' },
    owner: 'nobody' as const,
    trouble: null,
    failedSince: null,
    ...plain,
  }));
const rolesOf = (wanted: number, plain: Partial<RoleAsk> = {}): RoleAsk[] =>
  Array.from({ length: ROLES }, (_, index) => ({
    role: `role-${index}`,
    selector: {},
    topologyKey: null,
    wanted,
    ...plain,
  }));

/** As many expressions and values as a SIPCluster may have, of which each holds and none ends early. */
const LONGEST: LabelSelector = {
  matchExpressions: Array.from({ length: 20 }, (_, one) => ({
    key: 'rack',
    operator: 'NotIn' as const,
    values: Array.from({ length: 100 }, (_, value) => `value-${one}-${value}`.padEnd(63, 'x')),
  })),
};

/** Each host of a role has failed, and is alone in its rack; the free ones are in racks that are taken. */
function allFailed(count: number): SeenHost[] {
  const own = hostsOf(count, { owner: { mine: 'role-0' }, failedSince: 0 });
  const free = hostsOf(count).map((host, index) => ({
    ...host,
    key: `z/${index}`,
    labels: { rack: 'same' },
  }));
  const two = own.map((host, index) => (index < 2 ? { ...host, labels: { rack: 'same' } } : host));
  return [...two, ...free];
}

const PLANS: Readonly<Record<string, (count: number) => unknown>> = {
  'all hosts for all roles': (count) => planHosts(hostsOf(count), rolesOf(count / ROLES), NOW),
  'more hosts than there are': (count) => planHosts(hostsOf(count), rolesOf(2_000), NOW),
  'one host too many': (count) => planHosts(hostsOf(count), rolesOf(count / ROLES + 1), NOW),
  'racks of one host each': (count) =>
    planHosts(hostsOf(count), rolesOf(count / ROLES, { topologyKey: 'rack' }), NOW),
  'the longest selectors': (count) => planHosts(hostsOf(count), rolesOf(1, { selector: LONGEST }), NOW),
  'failed hosts alone, for which no other comes': (count) =>
    planHosts(allFailed(count), [{ role: 'role-0', selector: {}, topologyKey: 'rack', wanted: count }], NOW),
  'the words for what is missing': (count) => {
    const hosts = hostsOf(count);
    return shortage(hosts, planHosts(hosts, rolesOf(2_000, { selector: LONGEST }), NOW));
  },
};

test.each(Object.entries(PLANS))(
  'four times as many hosts take some four times as long with %s',
  (_what, plan) => {
    expect(
      timesAsLong(
        5,
        () => plan(1_600),
        () => plan(400),
      ),
    ).toBeLessThan(10);
  },
);

test('a failed host whose rack it has alone is replaced by one of that rack, and one that shares it is not', () => {
  const failed = (key: string, rack: string): SeenHost =>
    hostsOf(1, { key, labels: { rack }, owner: { mine: 'role-0' }, failedSince: 0 })[0] as SeenHost;
  const free = (key: string, rack: string): SeenHost => hostsOf(1, { key, labels: { rack } })[0] as SeenHost;
  const ask = { role: 'role-0', selector: {}, topologyKey: 'rack', wanted: 2 };
  const swapOf = (...hosts: readonly SeenHost[]) => planHosts(hosts, [ask], NOW).swap;
  expect(swapOf(failed('m/a', 'one'), failed('m/b', 'two'), free('m/c', 'two'))).toEqual({
    failed: 'm/b',
    by: { key: 'm/c', role: 'role-0' },
    isInOneDomain: true,
  });
  expect(swapOf(failed('m/a', 'one'), failed('m/b', 'one'), free('m/c', 'one'))).toBeNull();
  // The first that fits, be it of the rack or of another.
  expect(
    swapOf(failed('m/a', 'one'), failed('m/b', 'two'), free('m/c', 'one'), free('m/d', 'six')),
  ).toMatchObject({
    failed: 'm/a',
    by: { key: 'm/c' },
    isInOneDomain: true,
  });
  expect(
    swapOf(failed('m/a', 'one'), failed('m/b', 'two'), free('m/c', 'six'), free('m/d', 'one')),
  ).toMatchObject({
    failed: 'm/a',
    by: { key: 'm/c' },
    isInOneDomain: false,
  });
});

test.each<[string, LabelSelector]>([
  ['nothing', {}],
  ['labels', { matchLabels: { kind: 'large', rack: 'r1' } }],
  ['In', { matchExpressions: [{ key: 'rack', operator: 'In', values: ['r1', 'r2'] }] }],
  ['NotIn', { matchExpressions: [{ key: 'rack', operator: 'NotIn', values: ['r1'] }] }],
  ['Exists', { matchExpressions: [{ key: 'rack', operator: 'Exists' }] }],
  ['DoesNotExist', { matchExpressions: [{ key: 'rack', operator: 'DoesNotExist' }] }],
  ['what every object inherits', { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }],
  ['an unknown operator', { matchExpressions: [{ key: 'rack', operator: 'Gt' as never, values: ['1'] }] }],
])('a selector by %s that is looked through once selects the same', (_what, selector) => {
  const isMatch = matcherOf(selector);
  for (const labels of [{}, { rack: 'r1' }, { rack: 'r2', kind: 'large' }, { rack: 'r1', kind: 'large' }])
    expect(isMatch(labels)).toBe(selects(selector, labels));
});

const LONG = 'x'.repeat(400_000);
const large: BareMetalHost = {
  metadata: {
    name: 'h1',
    namespace: 'metal',
    labels: { rack: 'r1', ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`l${n}`, 'v'])) },
    annotations: {
      'baremetalhost.metal3.io/paused': '',
      long: LONG,
      [RESERVED_FOR]: 'uid-1',
    },
    finalizers: Array.from({ length: 5_000 }, (_, index) => `f${index}`),
  },
  spec: {
    bmc: { address: 'redfish://1', credentialsName: 'bmc', more: LONG } as never,
    image: { url: 'http://image', checksum: LONG } as never,
    consumerRef: null,
    networkData: { name: 'net', more: LONG } as never,
    online: true,
    raid: LONG,
  } as never,
  status: {
    errorMessage: LONG,
    operationalStatus: 'error',
    provisioning: { state: 'provisioned', image: LONG },
    hardware: { nics: LONG },
  } as never,
};

test.each([
  ['is long itself', { 'baremetalhost.metal3.io/paused': LONG }],
  [
    'comes after many others',
    {
      ...Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`a${n}`, 'some text'])),
      'baremetalhost.metal3.io/paused': '',
    },
  ],
])('a host is known to be paused also by an annotation that %s', (_what, annotations) => {
  const kept = slimHost({ ...large, metadata: { ...large.metadata, annotations } });
  expect(isAway(kept)).toBe(true);
  expect(JSON.stringify(kept).length).toBeLessThan(30_000);
});

test('of a host as large as an API server stores little is kept, and nothing by which it is judged is lost', () => {
  const kept = slimHost(large);
  expect(JSON.stringify(kept).length).toBeLessThan(8_000);
  expect(kept.metadata.labels).toEqual(large.metadata.labels);
  // Who may annotate a host may not hide that a person has paused it.
  expect([isAway(kept), troubleOf(kept)]).toEqual([true, troubleOf(large)]);
  expect(kept.metadata.annotations?.[RESERVED_FOR]).toBe('uid-1');
  expect(kept.spec).toEqual({
    bmc: { address: 'redfish://1', credentialsName: 'bmc' },
    image: { url: 'http://image' },
    consumerRef: null,
    networkData: { name: 'net' },
    online: true,
  });
  expect(kept.status).toMatchObject({ operationalStatus: 'error', provisioning: { state: 'provisioned' } });
  const small = { metadata: { name: 'h2', namespace: 'metal' } };
  expect(slimHost(small)).toEqual(small);
  expect(isAway(slimHost(small))).toBe(false);
});

test('a look at a SIPCluster reads all hosts of the hub, and keeps as little of each', async () => {
  const list = async ({ kind }: Resource, { keep = (one) => one }: ListOptions = {}) => ({
    items: kind === 'BareMetalHost' ? [large].map((one) => keep(one as KubeObject)) : [],
    resourceVersion: '1',
  });
  const ground = await readGround({ list } as unknown as Kube, { namespace: 'metal', name: 'edge' });
  expect(JSON.stringify(ground?.hosts).length).toBeLessThan(8_000);
});
