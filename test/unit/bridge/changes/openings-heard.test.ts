// How those hear of it who keep Capps, sets and Bundles: each change is compared once for all of them, and
// their rings carry the versions of what they were rung for.
import type { Client } from '@temporalio/client';
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import { keptBundles } from '../../../../bridge/fleet/bundles.ts';
import { keepFleets } from '../../../../bridge/fleet/keep.ts';
import { keptSets } from '../../../../bridge/fleet/sets.ts';
import { BRIDGE_TIMES } from '../../../../bridge/times.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aConfig } from '../../../support/builders/placing-rings.ts';
import {
  IN_RED,
  cluster,
  bound,
  set,
  placement,
  fleet,
  named,
  hub,
  OF_SITE_1,
} from '../../../support/builders/bridge/openings.ts';

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

test('nothing is listened to when the last has ended', () => {
  const { watched } = hub([set('red')], []);
  let listeners = 0;
  const counting = Object.fromEntries(
    Object.entries(watched).map(([name, cache]) => [
      name,
      { ...cache, subscribe: () => ((listeners += 1), () => void (listeners -= 1)) },
    ]),
  ) as unknown as BridgeWatched;
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
