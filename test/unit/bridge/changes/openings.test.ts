// For whom it rings that a cluster has become open by name, or is that no longer: a clusterset, its binding,
// a Placement or a label has changed.
import type { Client } from '@temporalio/client';
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { listenToPlacing } from '../../../../bridge/changes/placing.ts';
import type { Watched } from '../../../../bridge/changes/watched.ts';
import { keptBundles } from '../../../../bridge/fleet/bundles.ts';
import { keepFleets } from '../../../../bridge/fleet/keep.ts';
import { keptSets } from '../../../../bridge/fleet/sets.ts';
import { BRIDGE_TIMES } from '../../../../bridge/times.ts';
import { CLUSTER_SET_LABEL } from '../../../../crds/ocm/placements.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { keyText } from '../../../../kube/resource.ts';
import { Store, type Change } from '../../../../kube/watch/store.ts';
import { aCluster, aConfig, onSite } from '../../../support/builders/placing-rings.ts';

/** A cache over a real store, so that a list may replace many objects at once. */
function cached(...first: KubeObject[]) {
  const store = new Store<KubeObject>({ indexes: { requires: () => [], name: () => [], work: () => [] } });
  const listeners = new Set<(change: Change<KubeObject>) => void>();
  let version = 0;
  const tell = (changes: readonly Change<KubeObject>[]): void => {
    for (const change of changes) for (const listener of listeners) listener(change);
  };
  const next = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: `${(version += 1)}` },
  });
  for (const object of first) store.put(next(object));
  return {
    put: (object: KubeObject) => tell(store.put(next(object))),
    drop: (object: KubeObject) => tell(store.drop(object)),
    list: (objects: readonly KubeObject[], initial = false) =>
      tell(store.replace(objects.map(next), `${(version += 1)}`, initial)),
    cache: {
      get: (key: { namespace: string | null; name: string }) => store.get(keyText(key)),
      list: () => store.all(),
      by: (index: string, value: string) => store.by(index, value),
      changedAt: () => `${version}`,
      subscribe: (listener: (change: Change<KubeObject>) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

const IN_RED = { [CLUSTER_SET_LABEL]: 'red' };
const cluster = (name: string, labels: Record<string, string> = {}): KubeObject => {
  const plain = aCluster(name);
  return { ...plain, metadata: { ...plain.metadata, labels } };
};
const bound = (name: string, namespace = 'placements'): KubeObject =>
  ({ metadata: { namespace, name }, spec: { clusterSet: name } }) as KubeObject;
const set = (name: string, region?: string): KubeObject => {
  const by = { selectorType: 'LabelSelector', labelSelector: { matchLabels: { region } } };
  return { metadata: { name }, spec: region === undefined ? {} : { clusterSelector: by } } as KubeObject;
};
const placement = (clusterSets?: readonly string[]): KubeObject =>
  ({ metadata: { namespace: 'placements', name: 'all' }, spec: { clusterSets } }) as KubeObject;
const fleet = (name: string, spec: object, namespace = 'apps'): KubeObject =>
  ({ metadata: { namespace, name, uid: name }, spec }) as KubeObject;
const named = (...clusters: string[]) => ({ sites: { clusters } });

const edited = onSite('edited', 'site-2', { site: 'site-1' });
const CAPPS = [
  onSite('waits-1', null, { site: 'site-1' }),
  onSite('waits-2', null, { site: 'site-2' }),
  onSite('runs', 'site-1', { site: 'site-1' }),
  onSite('anywhere', null),
  { ...edited, status: { ...edited.status, migration: { placedFor: 'site-2' } } } as KubeObject,
];

/** The clustersets red (by label: site-1) and near (by region), and what of it is bound where. */
function hub(sets: KubeObject[], bindings: KubeObject[]) {
  const caches = {
    capps: cached(...CAPPS),
    configs: cached(aConfig(['all'], { bundles: { unrestricted: ['platform'] } })),
    placements: cached(placement()),
    decisions: cached(),
    clusters: cached(cluster('site-1', IN_RED), cluster('site-2', { region: 'far' })),
    clusterSets: cached(...sets),
    setBindings: cached(...bindings),
    works: cached(),
    drains: cached(),
    secrets: cached(),
    configMaps: cached(),
    sets: cached(fleet('set-1', named('site-1')), fleet('spread', { placement: 'all' })),
    bundles: cached(
      fleet('bundle-1', named('site-1', 'site-2')),
      fleet('bundle-2', named('site-2')),
      fleet('free', named('site-1'), 'platform'),
    ),
  };
  const watched = Object.fromEntries(
    Object.entries(caches).map(([name, { cache }]) => [name, cache]),
  ) as unknown as Watched;
  const rung = new Set<string>();
  const patience = new Set<number>();
  const openings = openingsOf(watched);
  listenToPlacing(watched, (key) => void rung.add(key.replace('apps/', '')), openings);
  for (const kept of [keptSets(watched, openings), keptBundles(watched, openings)])
    kept.listen(({ metadata }, _changed, _kind, patienceMs = 0) => {
      rung.add(metadata.name);
      patience.add(patienceMs);
    });
  return { ...caches, watched, rung: () => [...rung], forget: () => rung.clear(), patience };
}

const OF_SITE_1 = ['waits-1', 'edited', 'set-1', 'spread', 'bundle-1'];
const OF_SITE_2 = ['waits-2', 'spread', 'bundle-1', 'bundle-2'];

test.each<[string, string[], KubeObject[], KubeObject[], (caches: ReturnType<typeof hub>) => void]>([
  ['is made', OF_SITE_1, [], [bound('red')], ({ clusterSets }) => clusterSets.put(set('red'))],
  ['is bound', OF_SITE_1, [set('red')], [], ({ setBindings }) => setBindings.put(bound('red'))],
  [
    'is bound to a namespace without Placements of the RCSConfig',
    [],
    [set('red')],
    [],
    ({ setBindings }) => setBindings.put(bound('red', 'apps')),
  ],
  ['is made that nobody binds', [], [], [], ({ clusterSets }) => clusterSets.put(set('red'))],
  [
    'is no longer bound',
    OF_SITE_1,
    [set('red')],
    [bound('red')],
    ({ setBindings }) => setBindings.drop(bound('red')),
  ],
  ['is gone', OF_SITE_1, [set('red')], [bound('red')], ({ clusterSets }) => clusterSets.drop(set('red'))],
  [
    'selects another region',
    OF_SITE_2,
    [set('near', 'near')],
    [bound('near')],
    ({ clusterSets }) => clusterSets.put(set('near', 'far')),
  ],
  [
    'says how many clusters it has',
    [],
    [set('red')],
    [bound('red')],
    ({ clusterSets }) => clusterSets.put({ ...set('red'), status: { conditions: [] } } as KubeObject),
  ],
  [
    'is left by the Placements',
    OF_SITE_1,
    [set('red'), set('blue')],
    [bound('red'), bound('blue')],
    ({ placements }) => placements.put(placement(['blue'])),
  ],
  [
    'and another one with the same site were bound while nobody watched',
    OF_SITE_2,
    [set('near', 'far'), set('far', 'far')],
    [],
    ({ setBindings }) => setBindings.list([bound('near'), bound('far')]),
  ],
  [
    'is bound beside another one with the same site',
    [],
    [set('near', 'far'), set('far', 'far')],
    [bound('far')],
    ({ setBindings }) => setBindings.put(bound('near')),
  ],
  ['is in the first list', [], [set('red')], [], ({ setBindings }) => setBindings.list([bound('red')], true)],
])('a clusterset that %s rings %j', (_what, names, sets, bindings, change) => {
  const caches = hub(sets, bindings);
  change(caches);
  expect(caches.rung().toSorted()).toEqual(names.toSorted());
});

test('a label by which a bound clusterset selects rings the Capps that wait for the site, and no other label does', () => {
  const { clusters, rung } = hub([set('near', 'near')], [bound('near')]);
  clusters.put(cluster('site-2', { region: 'far', colour: 'red' }));
  expect(rung().filter((name) => name.startsWith('waits'))).toEqual([]);
  clusters.put(cluster('site-2', { region: 'near' }));
  expect(rung().filter((name) => name.startsWith('waits'))).toEqual(['waits-2']);
});

test('what was open already when the bridge began is closed by the first change, and a site that is gone opens anew', () => {
  const first = hub([], []);
  first.setBindings.list([bound('red')], true);
  first.clusterSets.list([set('red')], true);
  expect(first.rung()).toEqual([]);
  first.setBindings.list([]);
  expect(first.rung().toSorted()).toEqual(OF_SITE_1.toSorted());
  const second = hub([set('red')], [bound('red')]);
  second.clusters.drop(cluster('site-1', IN_RED));
  second.setBindings.drop(bound('red'));
  second.clusters.put(cluster('site-1', IN_RED));
  second.forget();
  second.setBindings.put(bound('red'));
  expect(second.rung().toSorted()).toEqual(OF_SITE_1.toSorted());
});

test('what has been closed, or opened by the RCSConfig, which rings by itself, is no news at the next change', () => {
  const { setBindings, clusterSets, configs, rung, forget } = hub([set('red')], [bound('red')]);
  setBindings.drop(bound('red'));
  forget();
  clusterSets.put(set('far', 'far'));
  expect(rung()).toEqual([]);
  configs.put(aConfig(['all'], { pinning: 'Any' }));
  forget();
  setBindings.put(bound('red'));
  expect(rung()).toEqual([]);
});

test('each change is compared once for all who listen, and what is of a first list or says nothing new not at all', () => {
  let looks = 0;
  const spec = Object.defineProperty({}, 'clusterSelector', { get: () => void (looks += 1) });
  const watching = { ...set('red'), spec } as KubeObject;
  const caches = hub([watching], [bound('red')]);
  const { clusterSets, setBindings, configs, placements, clusters, rung, forget } = caches;
  clusterSets.list([watching], true);
  clusters.list([cluster('site-1', IN_RED), cluster('site-2')], true);
  setBindings.list([bound('red')], true);
  configs.put(aConfig(['all'], { bundles: { unrestricted: ['platform'] } }));
  placements.put({ ...placement(['red']), metadata: { namespace: 'placements', name: 'of-nobody' } });
  setBindings.put(bound('red', 'apps'));
  expect(looks).toBe(0);
  setBindings.put(bound('blue'));
  expect(looks).toBe(4);
  setBindings.put(bound('green'));
  expect(looks).toBe(6);
  forget();
  setBindings.drop(bound('red'));
  expect(rung().toSorted()).toEqual(OF_SITE_1.toSorted());
});

test('a Placement that the RCSConfig names since counts as it was seen', () => {
  const { configs, placements, rung, forget } = hub([set('red')], [bound('red')]);
  const other = (clusterSets: string[]): KubeObject => ({
    ...placement(clusterSets),
    metadata: { namespace: 'placements', name: 'other' },
  });
  placements.put(other(['red']));
  configs.put(aConfig(['other']));
  forget();
  placements.put(placement(['blue']));
  expect(rung()).toEqual([]);
  placements.put(other(['blue']));
  expect(rung()).toContain('waits-1');
});

test('nothing is listened to when the last has ended', () => {
  const { watched } = hub([set('red')], []);
  let listeners = 0;
  const counting = Object.fromEntries(
    Object.entries(watched).map(([name, cache]) => [
      name,
      { ...cache, subscribe: () => ((listeners += 1), () => void (listeners -= 1)) },
    ]),
  ) as unknown as Watched;
  const openings = openingsOf(counting);
  expect(listeners).toBe(0);
  const ends = [openings.subscribe(() => undefined), openings.subscribe(() => undefined)];
  expect(listeners).toBe(5);
  ends[0]?.();
  expect(listeners).toBe(5);
  ends[1]?.();
  expect(listeners).toBe(0);
});

test('many clustersets that are bound at once are one ring of a set or a Bundle', () => {
  const { setBindings, patience } = hub([set('red'), set('far', 'far')], []);
  setBindings.put(bound('red'));
  setBindings.put(bound('far'));
  expect([...patience]).toEqual([BRIDGE_TIMES.fleetCopies.ms]);
});

test.each([
  ['Bundle', 'bundles', keptBundles],
  ['CappSet', 'sets', keptSets],
] as const)(
  'every ring of a %s asks for caches that know what was open when it rang',
  async (_kind, name, kind) => {
    const { watched, ...caches } = hub([set('red')], [bound('red'), bound('far')]);
    const given: object[] = [];
    const workflow = {
      signalWithStart: async (_type: string, { signalArgs }: { signalArgs: object[] }) =>
        void given.push(...signalArgs),
    };
    const kept = keepFleets(
      { workflow } as unknown as Client,
      [kind(watched, openingsOf(watched))],
      () => undefined,
    );
    const edit = fleet(name === 'sets' ? 'set-1' : 'bundle-1', named('site-1'));
    caches[name].put({ ...edit, metadata: { ...edit.metadata, generation: 2 } });
    await new Promise((resolve) => void setImmediate(resolve));
    await kept.stop();
    const minimumVersions = { ManagedClusterSet: '1', ManagedClusterSetBinding: '2', Placement: '1' };
    expect(given).toEqual([{ causes: ['spec'], minimumVersions }]);
  },
);
