// As whom works are applied on sites: names that the hub alone makes, another for each hub.
import {
  bundleExecutor,
  cappsExecutor,
  cappsExecutorClaim,
  cappsExecutorOn,
  hubsOnSite,
  shortIdOf,
} from '../../../crds/ocm/executors.ts';
import { CAPPS_EXECUTOR_CLAIM } from '../../../crds/ocm/cluster-claim.ts';

const HUB = { hub: '3b9f7a3e-0d6f-4c55-9f0a-1f0f5d9a2c11', namespace: 'add-on' };
const NAME = cappsExecutor(HUB.hub);

const claiming = (value: unknown, name = cappsExecutorClaim(HUB.hub)) => ({
  status: { clusterClaims: [{ name, value: value as string }] },
});

test("two hubs have two executors, each with ten hex digits of its hub's id", () => {
  expect(NAME).toMatch(/^cappstan-capps-[0-9a-f]{10}$/);
  expect(cappsExecutor('another-hub')).not.toBe(NAME);
  expect(cappsExecutor(HUB.hub)).toBe(NAME);
});

test('a site with two hubs has a claim of each, and other claims are of no hub', () => {
  const names = [
    cappsExecutorClaim('a'),
    CAPPS_EXECUTOR_CLAIM,
    cappsExecutorClaim('b'),
    'capps-executor-x.cappstan.dana.io',
  ];
  const cluster = { status: { clusterClaims: names.map((name) => ({ name, value: 'x' })) } };
  expect(hubsOnSite(cluster)).toEqual([shortIdOf('a'), shortIdOf('b')].toSorted());
  expect(hubsOnSite({})).toEqual([]);
});

test('an agent of an earlier version says its hub in the value, and each hub counts once', () => {
  const value = `add-on/${cappsExecutor('b')}`;
  const claims = [
    { name: cappsExecutorClaim('a'), value: 'x' },
    { name: cappsExecutorClaim('b'), value },
    { name: CAPPS_EXECUTOR_CLAIM, value },
  ];
  const hubs = [shortIdOf('a'), shortIdOf('b')].toSorted();
  expect(hubsOnSite({ status: { clusterClaims: claims } })).toEqual(hubs);
  expect(hubsOnSite({ status: { clusterClaims: claims.slice(2) } })).toEqual([shortIdOf('b')]);
  const strange = [{ name: CAPPS_EXECUTOR_CLAIM, value: 'kube-system/admin' }];
  expect(hubsOnSite({ status: { clusterClaims: strange } })).toEqual([]);
});

test('works of Capps have the executor on a site that claims just this account', () => {
  expect(cappsExecutorOn(claiming(`add-on/${NAME}`), HUB)).toEqual({ namespace: 'add-on', name: NAME });
});

test('works of Capps keep the executor on a site whose agent is of an earlier version', () => {
  const cluster = claiming(`add-on/${NAME}`, CAPPS_EXECUTOR_CLAIM);
  expect(cappsExecutorOn(cluster, HUB)).toEqual({ namespace: 'add-on', name: NAME });
});

test.each<[string, Parameters<typeof cappsExecutorOn>[0], typeof HUB]>([
  ['that the hub does not know', undefined, HUB],
  ['that claims nothing', {}, HUB],
  ['that claims no value', claiming(undefined), HUB],
  ['that claims an account with more rights', claiming('kube-system/admin'), HUB],
  ['that claims the account of another hub', claiming(`add-on/${cappsExecutor('b')}`), HUB],
  ['that claims it in another namespace', claiming(`kube-system/${NAME}`), HUB],
  ['that says it in another claim', claiming(`add-on/${NAME}`, 'capps-executor.example.com'), HUB],
  ['that claims it for another hub', claiming(`add-on/${NAME}`, cappsExecutorClaim('b')), HUB],
  [
    'whose agent of an earlier version claims the account of another hub',
    claiming(`add-on/${cappsExecutor('b')}`, CAPPS_EXECUTOR_CLAIM),
    HUB,
  ],
  ['of a hub without an id', claiming(`add-on/${cappsExecutor('')}`), { ...HUB, hub: '' }],
])('on a site %s works of Capps have no executor', (_, cluster, hub) => {
  expect(cappsExecutorOn(cluster, hub)).toBeNull();
});

test('no namespace has the name of another hub’s executor, whatever it is called', () => {
  const ofHub = bundleExecutor('apps', HUB.hub);
  expect(ofHub).toMatch(/^cappstan-bundles-apps\.[0-9a-f]{10}$/);
  expect(bundleExecutor('apps')).toBe('cappstan-bundles-apps');
  const tail = ofHub.replace('cappstan-bundles-', '');
  // What a namespace may be called, by Kubernetes.
  expect(tail).not.toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  expect(bundleExecutor('apps', 'b')).not.toBe(ofHub);
});
