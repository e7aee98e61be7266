// Where a Bundle may go, and with whose rights: only namespaces that an operator of the hub has listed have
// the work agent's own, reach the hub itself, and sites outside of the clustersets.
import {
  executorFor,
  sitesOf,
  unlessShared,
  type BundleSite,
  type BundleSiteRules,
} from '../../../../activities/hub/bundle/sites.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';
import { AVAILABLE, LOCAL_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { aBundle } from '../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';

interface Hub {
  readonly cluster?: ManagedCluster | undefined;
  readonly pinning?: string;
  readonly isFree?: boolean;
  readonly executors?: 'Namespace' | 'HubAndNamespace';
}

function rulesOf({ cluster, pinning = 'Any', isFree = false, executors }: Hub): BundleSiteRules {
  const none = { get: () => undefined, list: () => [], by: () => [] };
  const bundles = { unrestricted: isFree ? ['apps'] : ['platform'], executors };
  const caches = {
    clusters: { ...none, get: () => cluster },
    configs: {
      ...none,
      get: () => ({ spec: { placements: [], placementsNamespace: 'p', pinning, bundles } }),
    },
    placements: none,
    decisions: none,
    setBindings: none,
    clusterSets: none,
  };
  const names = { hubUid: 'hub', config: RCS_CONFIG_KEY, siteNamespace: 'add-on', hubId: 'hub-a' };
  return { caches, ...names } as unknown as BundleSiteRules;
}

function clusterWith(metadata: object = {}, spec: object = {}, status = 'True'): ManagedCluster {
  const made = aCluster('site-1');
  return {
    ...made,
    metadata: { ...made.metadata, ...metadata },
    spec: { ...made.spec, ...spec },
    status: { conditions: [{ type: AVAILABLE, status }] },
  } as ManagedCluster;
}

const siteBy = (hub: Hub) => sitesOf(rulesOf(hub), aBundle(), ['site-1'])[0];
const hubItself = clusterWith({ labels: { [LOCAL_CLUSTER]: 'true' } });

test.each<[string, Hub, string]>([
  ['that is no cluster of the hub', {}, 'UnknownSite'],
  [
    'that is being removed',
    { cluster: clusterWith({ deletionTimestamp: '2026-03-01T12:00:00Z' }) },
    'UnknownSite',
  ],
  ['that the hub has not accepted', { cluster: clusterWith({}, { hubAcceptsClient: false }) }, 'UnknownSite'],
  [
    'of which the hub says nothing',
    { cluster: clusterWith({}, { hubAcceptsClient: undefined }) },
    'UnknownSite',
  ],
  ['that is the hub itself', { cluster: hubItself }, 'SiteNotAllowed'],
  ['in no clusterset', { cluster: clusterWith(), pinning: 'ClusterSets' }, 'SiteNotAllowed'],
])('no Bundle goes to a site %s', (_which, hub, reason) => {
  expect(siteBy(hub)?.refusal?.reason).toBe(reason);
});

test('a Bundle goes to an accepted site, and from a listed namespace also to the hub and to any site', () => {
  expect(siteBy({ cluster: clusterWith() })).toMatchObject({ refusal: null, isReachable: true });
  expect(siteBy({ cluster: hubItself, isFree: true })?.refusal).toBeNull();
  expect(siteBy({ cluster: clusterWith(), pinning: 'ClusterSets', isFree: true })?.refusal).toBeNull();
  expect(siteBy({ isFree: true })?.refusal?.reason).toBe('UnknownSite');
});

test.each<[string, boolean, string | undefined, object]>([
  ['of another namespace has an executor', false, undefined, { executorNamespace: 'add-on' }],
  ['of another namespace may not ask for the agent', false, 'WorkAgent', { reason: 'ExecutorRefused' }],
  ['of a listed namespace has the agent', true, undefined, { executorNamespace: null }],
  ['of a listed namespace may ask for an executor', true, 'Namespace', { executorNamespace: 'add-on' }],
])('a Bundle %s', (_which, isFree, executor, terms) => {
  const bundle = aBundle();
  const spec = { ...bundle.spec, ...(executor === undefined ? {} : { executor }) } as typeof bundle.spec;
  expect(executorFor(rulesOf({ isFree }), { ...bundle, spec })).toMatchObject(terms);
});

describe('a Bundle that is not yet on a site with two hubs', () => {
  const claiming = (...hubs: string[]): ManagedCluster => {
    const cluster = clusterWith();
    const clusterClaims = hubs.map((hub) => ({ name: cappsExecutorClaim(hub), value: 'a/b' }));
    return { ...cluster, status: { ...cluster.status, clusterClaims } };
  };
  const there = (hub: Hub, executor?: 'Namespace' | 'WorkAgent'): BundleSite['refusal'] => {
    const rules = rulesOf(hub);
    const bundle = aBundle();
    const asked = { ...bundle, spec: { ...bundle.spec, ...(executor === undefined ? {} : { executor }) } };
    const [site] = sitesOf(rules, asked, ['site-1']);
    return site === undefined ? null : unlessShared(rules, asked, site).refusal;
  };
  const shared = claiming('hub-a', 'hub-b');

  test('is not sent there by the name that is also the other hub’s, and says the setting that helps', () => {
    const refusal = there({ cluster: shared });
    expect(refusal?.reason).toBe('SiteNotAllowed');
    expect(refusal?.message).toMatch(
      /^site-1 has several hubs, and cappstan-bundles-apps, .*kubectl patch rcsconfig rcs-config -n rcs-deployer-system .*"HubAndNamespace"/,
    );
    expect(there({ cluster: shared, isFree: true }, 'Namespace')?.reason).toBe('SiteNotAllowed');
  });

  test('is sent there by a name of its own, by the work agent, and where one hub alone claims', () => {
    expect(there({ cluster: shared, executors: 'HubAndNamespace' })).toBeNull();
    expect(there({ cluster: shared, isFree: true })).toBeNull();
    expect(there({ cluster: claiming('hub-a') })).toBeNull();
    expect(there({ cluster: clusterWith() })).toBeNull();
  });

  test('has the reason of a site that takes nothing of it anyway', () => {
    const refusal = there({ cluster: shared, pinning: 'ClusterSets' });
    expect(refusal?.message).toContain('is in no clusterset');
  });
});
