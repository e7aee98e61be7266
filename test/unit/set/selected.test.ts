// On which of the sites that a set names its Capps may be, and which of these can be changed now.
import { sitesNamed, type SelectOptions } from '../../../activities/hub/set/selected.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { AVAILABLE, LOCAL_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { aCluster } from '../../support/builders/fleet/sets.ts';

interface Facts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly metadata?: object;
  readonly spec?: object;
  readonly available?: string;
}

function clusterOf({ labels, metadata, spec, available = 'True' }: Facts): ManagedCluster {
  const made = aCluster('site-1', labels);
  return {
    ...made,
    metadata: { ...made.metadata, ...metadata },
    spec: { ...made.spec, ...spec },
    status: { conditions: [{ type: AVAILABLE, status: available }] },
  } as ManagedCluster;
}

function named(cluster: ManagedCluster | null, pinning = 'Any') {
  const none = { get: () => undefined, list: () => [], by: () => [] };
  const caches = {
    clusters: { ...none, get: () => cluster ?? undefined },
    configs: { ...none, get: () => ({ spec: { placements: [], placementsNamespace: 'p', pinning } }) },
    placements: none,
    clusterSets: none,
    setBindings: none,
    drains: none,
  };
  const options = { caches, hubUid: 'hub', config: RCS_CONFIG_KEY } as unknown as SelectOptions;
  return sitesNamed(options, ['site-1']);
}

test.each<[string, ManagedCluster | null, string | undefined, string]>([
  ['that is no cluster of the hub', null, 'Any', 'UnknownSite'],
  ['that the hub has not accepted', clusterOf({ spec: { hubAcceptsClient: false } }), 'Any', 'UnknownSite'],
  [
    'that is being removed',
    clusterOf({ metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } }),
    'Any',
    'UnknownSite',
  ],
  ['that is the hub itself', clusterOf({ labels: { [LOCAL_CLUSTER]: 'true' } }), 'Any', 'SelfManaged'],
  ['to which no Capp may be pinned', clusterOf({}), undefined, 'PinRefused'],
])('no Capp of a set is for a site %s', (_which, cluster, pinning, reason) => {
  const pins = pinning ?? 'ClusterSets';
  const message = expect.stringContaining('site-1') as unknown;
  expect(named(cluster, pins)).toEqual({ sites: [], excluded: [{ cluster: 'site-1', reason, message }] });
});

test.each<[string, Facts, boolean]>([
  ['that is available and accepted', {}, true],
  ['that is not available', { available: 'Unknown' }, false],
])('of a site %s it is known whether anything may be changed there', (_which, facts, reachable) => {
  expect(named(clusterOf(facts))).toMatchObject({ excluded: [], sites: [{ cluster: 'site-1', reachable }] });
});

test('of a site that can be reached it is known since when', () => {
  const lastTransitionTime = '2026-03-01T12:00:00Z';
  const back = { conditions: [{ type: AVAILABLE, status: 'True', lastTransitionTime }] };
  const cluster = { ...clusterOf({}), status: back } as ManagedCluster;
  expect(named(cluster).sites).toMatchObject([{ reachableSince: Date.parse(lastTransitionTime) }]);
});
