// What rings a SIPCluster for its site.
import { listenToSites, stepOf, wordsOf, type SitesWatched } from '../../../../bridge/metal/sites.ts';
import { ABANDON_HOSTS, ALLOW_WIPE, SITE_OF_NAME } from '../../../../crds/metal/labels.ts';
import { cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';

type Hear = (change: object) => void;

function bridge() {
  const rung: string[] = [];
  const hears: { sites?: Hear; drains?: Hear } = {};
  const of = (name: string) => ({ metadata: { name: 'edge-7', annotations: { [SITE_OF_NAME]: name } } });
  const watched = {
    sipClusters: {
      get: ({ name }: { name: string }) => (name === 'shop' ? { metadata: { name } } : undefined),
    },
    clusters: { get: () => of('metal/shop'), subscribe: (hear: Hear) => (hears.sites = hear) },
    drains: { subscribe: (hear: Hear) => (hears.drains = hear) },
  } as unknown as SitesWatched;
  listenToSites(watched, ({ metadata }) => void rung.push(metadata.name));
  const tell = (hear: Hear | undefined, change: object): string[] => {
    hear?.({ type: 'Modified', initial: false, ...change });
    return rung.splice(0);
  };
  return {
    of,
    sites: (change: object) => tell(hears.sites, change),
    drains: (change: object) => tell(hears.drains, change),
  };
}

test('a site that is accepted, joins, is relabelled or goes rings its SIPCluster, and its heartbeat does not', () => {
  const { sites, of } = bridge();
  const before = { ...of('metal/shop'), spec: { hubAcceptsClient: false } };
  const says = (status: string, lastTransitionTime = 'a') => ({
    ...before,
    status: { conditions: [{ type: 'ManagedClusterJoined', status, lastTransitionTime }] },
  });
  expect(sites({ previous: before, object: { ...before, spec: { hubAcceptsClient: true } } })).toEqual([
    'shop',
  ]);
  expect(sites({ previous: before, object: says('True') })).toEqual(['shop']);
  expect(sites({ previous: says('True'), object: says('True', 'b') })).toEqual([]);
  expect(sites({ type: 'Deleted', previous: before, object: before })).toEqual(['shop']);
  expect(sites({ type: 'Added', previous: null, object: before, initial: true })).toEqual([]);
});

test('a hub that comes to a site, or leaves it, rings its SIPCluster, and other claims do not', () => {
  const { sites, of } = bridge();
  const claiming = (...names: readonly string[]) => ({
    ...of('metal/shop'),
    status: { clusterClaims: names.map((name) => ({ name, value: 'x' })) },
  });
  const [one, two] = [cappsExecutorClaim('one'), cappsExecutorClaim('two')];
  expect(sites({ previous: claiming(one), object: claiming(one, two) })).toEqual(['shop']);
  expect(sites({ previous: claiming(one, two), object: claiming(one) })).toEqual(['shop']);
  expect(sites({ previous: claiming(one), object: claiming(one, 'nodes.example') })).toEqual([]);
});

test('nobody is rung for a site of nobody, or of one that is not there', () => {
  const { sites, of } = bridge();
  for (const name of ['', 'metal', 'metal/other'])
    expect(sites({ type: 'Added', previous: null, object: of(name) })).toEqual([]);
});

test('a Drain rings the SIPCluster whose site it empties', () => {
  const { drains } = bridge();
  expect(drains({ object: { metadata: { name: 'edge-7' } } })).toEqual(['shop']);
});

test('how far a host is, and what a person says, is news', () => {
  const host = (state: string, errorMessage = '') =>
    JSON.stringify(stepOf({ metadata: { name: 'a' }, status: { errorMessage, provisioning: { state } } }));
  expect(host('provisioned')).not.toBe(host('provisioning'));
  expect(host('provisioned', 'no')).not.toBe(host('provisioned'));
  const says = (annotations: Readonly<Record<string, string>>) => wordsOf({ name: 'shop', annotations });
  expect(new Set([says({}), says({ [ALLOW_WIPE]: 'a' }), says({ [ABANDON_HOSTS]: 'a' })]).size).toBe(3);
  expect(says({ other: 'a' })).toBe(says({}));
});
