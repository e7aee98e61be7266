// For whom it rings that a cluster has become open by name, or is that no longer: a clusterset, its binding,
// a Placement or a label has changed.
import type { KubeObject } from '../../../../kube/resource.ts';
import { aConfig } from '../../../support/builders/placing-rings.ts';
import {
  IN_RED,
  cluster,
  bound,
  set,
  placement,
  hub,
  OF_SITE_1,
} from '../../../support/builders/bridge/openings.ts';

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
