// Which caches a warrant rests on: each must be at least as new as the ring asks, and no other is waited for.
import { warrantInTime, type WarrantOptions } from '../../../../activities/hub/place/warrant.ts';
import { capp } from '../../../../testbed/capps.ts';

/** Nothing is in any cache, and one of them is behind. */
function behindIn(late: string): WarrantOptions {
  const cacheOf = (name: string): readonly [string, object] => [
    name,
    {
      get: () => undefined,
      by: () => [],
      list: () => [],
      caughtUpWith: () => name !== late,
      onSeen: () => () => undefined,
    },
  ];
  const names = [
    'capps',
    'configs',
    'placements',
    'decisions',
    'clusters',
    'setBindings',
    'clusterSets',
    'works',
  ];
  const caches = Object.fromEntries(names.map(cacheOf)) as unknown as WarrantOptions['caches'];
  return { caches, hubUid: 'hub-uid', config: { namespace: 'system', name: 'config' } };
}

const ask = (late: string, kind: string): Promise<unknown> =>
  warrantInTime(
    behindIn(late),
    { capp: capp({ namespace: 'apps', name: 'shop' }), cluster: 'b' },
    { [kind]: '9' },
    () => new Error('behind'),
  );

test.each([
  ['configs', 'RCSConfig'],
  ['placements', 'Placement'],
  ['decisions', 'PlacementDecision'],
  ['clusters', 'ManagedCluster'],
  ['setBindings', 'ManagedClusterSetBinding'],
  ['clusterSets', 'ManagedClusterSet'],
])('nothing is refused while the cache of %s is behind the ring', async (late, kind) => {
  await expect(ask(late, kind)).rejects.toThrow('behind');
});

test.each([
  ['capps', 'Capp'],
  ['works', 'ManifestWork'],
])('the cache of %s is not waited for: that was read live', async (late, kind) => {
  expect(await ask(late, kind)).toBeNull();
});
