// Which sites, Pods and containers are a Capp's.
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Pod } from '../../../crds/kubernetes/core.ts';
import { streams } from '../../../reach/bounds.ts';
import { KNATIVE_SERVICE_LABEL } from '../../../crds/kubernetes/knative.ts';
import { isCopyOf, podsOf, reached, sitesOf, sourcesIn } from '../../../reach/pods.ts';
import { noWay } from '../../../reach/site/sentences.ts';

const at = (clusterName: string, role: string) => ({ clusterName, role });

test.each([
  [
    'where it serves comes first',
    { sites: [at('b', 'Leaving'), at('c', 'Coming'), at('a', 'Serving')] },
    ['a', 'c', 'b'],
  ],
  ['an older status has only the link', { applicationLinks: { site: 'a' } }, ['a']],
  ['there is none', undefined, []],
  ['a name that would leave its place in a path is no site', { sites: [at('../a', 'Serving')] }, []],
])('%s', (_what, status, expected) => {
  expect(sitesOf(status)).toEqual(expected);
});

const capp = { metadata: { name: 'shop', uid: 'uid-1' } };
test.each([
  ['uid-1/1/hash/one', true],
  ['uid-11/1/hash/one', false],
  ['uid-2/1/hash/one', false],
  ['', false],
])('what is stamped %j is a copy of this Capp: %s', (stamp, expected) => {
  expect(isCopyOf({ metadata: { name: 'shop', annotations: { [ROLLOUT]: stamp } } }, capp)).toBe(expected);
});
test('a Capp without a uid has no copies', () => {
  expect(isCopyOf({ metadata: { name: 'shop' } }, { metadata: { name: 'shop' } })).toBe(false);
});

const aPod = (plain: Partial<Pod['metadata']> = {}, state: object = { running: {} }, restarts = 0): Pod => ({
  metadata: {
    name: 'shop-1',
    namespace: 'apps',
    uid: 'p',
    labels: { [KNATIVE_SERVICE_LABEL]: 'shop' },
    ...plain,
  },
  spec: { containers: [{ name: 'app' }, { name: 'queue-proxy' }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: ['app', 'queue-proxy'].map((name) => ({ name, restartCount: restarts, state })),
  },
});

test('only what says itself that it is the Capp’s counts, whatever the server answers', () => {
  const found = [
    aPod(),
    aPod({ namespace: 'other' }),
    aPod({ labels: { [KNATIVE_SERVICE_LABEL]: 'other' } }),
    aPod({ labels: {} }),
  ];
  expect(podsOf({ namespace: 'apps', name: 'shop' }, found)).toEqual([aPod()]);
});

test.each([
  ['the app, and not Knative’s own', aPod(), null, [['app', false]]],
  ['a container by its name', aPod(), 'queue-proxy', [['queue-proxy', false]]],
  ['none of another name', aPod(), 'other', []],
  ['none that waits for its first start', aPod({}, { waiting: { reason: 'ContainerCreating' } }), null, []],
  [
    'one that waits for its next start',
    aPod({}, { waiting: { reason: 'CrashLoopBackOff' } }, 1),
    null,
    [['app', false]],
  ],
  ['one that has ended', aPod({}, { terminated: { exitCode: 0 } }), null, [['app', true]]],
])('the log is of %s', (_what, pod, container, expected) => {
  expect(sourcesIn(pod, container).map((one) => [one.container, one.hasEnded])).toEqual(expected);
});

test('each run of a container is another source', () => {
  const [one] = sourcesIn(aPod(), null);
  const [two] = sourcesIn(aPod({}, { running: {} }, 1), null);
  expect(one?.id).not.toBe(two?.id);
});

test('people are told of a Pod, and of its restarts over all containers', () => {
  expect(reached('site-1', aPod({ deletionTimestamp: '2026-01-02T03:04:05Z' }, { running: {} }, 2))).toEqual({
    site: 'site-1',
    name: 'shop-1',
    revision: null,
    phase: 'Terminating',
    ready: true,
    restarts: 4,
    createdAt: null,
    containers: ['app'],
  });
});

describe('streams are counted, and given back', () => {
  const of = (user: string, namespace = user) => ({ user, namespace });

  test('by user and in all', () => {
    const open = streams({ ofOne: 2, ofNamespace: 9, ofAll: 3 });
    const [first, second] = [open.begin(of('a')), open.begin(of('a'))];
    expect([first, second]).not.toContain(null);
    expect(open.begin(of('a'))).toBeNull();
    const other = open.begin(of('b'));
    expect(other).not.toBeNull();
    expect(open.begin(of('c'))).toBeNull();
    first?.();
    expect(open.begin(of('a'))).not.toBeNull();
    expect(open.begin(of('a'))).toBeNull();
  });

  test('by namespace: one cannot take those of all others', () => {
    const open = streams({ ofOne: 2, ofNamespace: 2, ofAll: 9 });
    const [first] = [open.begin(of('a', 'team-a')), open.begin(of('b', 'team-a'))];
    expect(open.begin(of('c', 'team-a'))).toBeNull();
    // What was refused holds nothing.
    expect(open.begin(of('c', 'team-b'))).not.toBeNull();
    expect(open.begin(of('c', 'team-c'))).not.toBeNull();
    first?.();
    expect(open.begin(of('d', 'team-a'))).not.toBeNull();
  });
});

test('without a tunnel there is one sentence', () => {
  expect(noWay('site-1', 'NoTunnel')).toBe(
    'no direct way to site-1: cluster-proxy is not installed there; everything else works (docs/logs.md)',
  );
});
