// What the bridge measures of CappSets and Bundles: how many, by reason, and never which.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { registry } from '../../../workers/metrics/meter.ts';
import { measureSpread } from '../../../workers/bridge/spread-measures.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const saying = (reason: string, stalled: 'True' | 'False') => [
  { type: 'Ready', status: 'False', reason },
  { type: 'Stalled', status: stalled, reason },
];

function samplesOf(sets: object[], bundles: object[]): string[] {
  const meter = registry();
  measureSpread(meter, {
    sets: fakeCache(...(sets as CappSet[])).cache,
    bundles: fakeCache(...(bundles as Bundle[])).cache,
  });
  return meter
    .text()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

test('sets and their sites are counted by what their statuses say', () => {
  const counts = { sites: 10, ready: 6, failed: 1, offline: 2 };
  const lines = samplesOf(
    [
      { ...aSet('a', {}), status: { ...counts, conditions: saying('SitesFailed', 'True') } },
      { ...aSet('b', {}), status: { ...counts, conditions: saying('SitesFailed', 'True') } },
      aSet('c', {}),
    ],
    [],
  );
  expect(lines.filter((line) => line.startsWith('cappstan_set'))).toEqual([
    'cappstan_sets{reason="SitesReady",stalled="False"} 0',
    'cappstan_sets{reason="SitesFailed",stalled="True"} 2',
    'cappstan_sets{reason="NotObserved",stalled="False"} 1',
    'cappstan_set_sites{state="Ready"} 12',
    'cappstan_set_sites{state="Failed"} 2',
    'cappstan_set_sites{state="Offline"} 4',
    'cappstan_set_sites{state="UnderWay"} 2',
  ]);
});

test('what is Ready on all of its sites and waits for a person is counted by what it waits for', () => {
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'SitesReady' },
    { type: 'Stalled', status: 'True', reason: 'RemovalHeld' },
  ];
  expect(samplesOf([{ ...aSet('a', {}), status: { conditions } }], [])).toContain(
    'cappstan_sets{reason="RemovalHeld",stalled="True"} 1',
  );
});

test('Bundles and their sites are counted likewise, and where there is none that is said', () => {
  const status = { sites: 3, ready: 1, failed: 1, conditions: saying('NotAllowed', 'True') };
  expect(samplesOf([], [{ metadata: { name: 'a', namespace: 'b' }, spec: {}, status }])).toEqual([
    'cappstan_sets{reason="SitesReady",stalled="False"} 0',
    ...['Ready', 'Failed', 'Offline', 'UnderWay'].map((state) => `cappstan_set_sites{state="${state}"} 0`),
    'cappstan_bundles{reason="Ready",stalled="False"} 0',
    'cappstan_bundles{reason="NotAllowed",stalled="True"} 1',
    ...['Ready', 'Failed', 'UnderWay'].map((state) => `cappstan_bundle_sites{state="${state}"} 1`),
  ]);
});
