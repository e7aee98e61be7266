// What in Kubernetes allows a Capp to be on a site, and that nothing else does.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { CLUSTER_SET_LABEL } from '../../../../crds/ocm/placements.ts';
import { sitesIn, warrantFor } from '../../../../activities/hub/place/warrant.ts';
import {
  aCapp,
  CONFIG,
  DECIDED_B,
  optionsFrom,
  type WarrantFacts,
} from '../../../support/builders/hub/warrants.ts';

const requires = { labels: { matchLabels: { region: 'eu' } } };

test.each<[string, Capp, WarrantFacts, boolean, string | null]>([
  ['nothing names it', aCapp(), {}, true, null],
  [
    'the status says that it serves there',
    aCapp({}, {}, { migration: { serving: 'b' } }),
    {},
    false,
    'Status',
  ],
  [
    'the Go operator’s status says so',
    aCapp({}, {}, { applicationLinks: { site: 'b' } }),
    {},
    false,
    'Status',
  ],
  ...(['Coming', 'Leaving'] as const).flatMap(
    (role): [string, Capp, WarrantFacts, boolean, string | null][] => {
      const passing = aCapp({}, {}, { sites: [{ clusterName: 'b', role }] });
      return [
        [`the status says that it is ${role}, with a work there`, passing, { clusters: {} }, true, 'Status'],
        [`the status says that it is ${role}, without a work there`, passing, {}, false, null],
      ];
    },
  ),
  ...(['migrate', 'force'] as const).flatMap((by): [string, Capp, WarrantFacts, boolean, string | null][] => {
    const migration = by === 'force' ? { handledForce: '1' } : { handledRequest: '1' };
    const on = (status: object, id = '1'): Capp =>
      aCapp({}, { [`rcs.dana.io/${by}`]: `b#${id}` }, { migration, ...status });
    const sites = [{ clusterName: 'b', role: 'Coming' }];
    return [
      [`a request by ${by} was answered`, on({}), {}, true, null],
      [`a request by ${by} was answered, and its move is under way`, on({ sites }), {}, false, 'Asked'],
      [`a new request by ${by} stands`, on({}, '2'), {}, false, 'Asked'],
    ];
  }),
  [
    'the hub has noted it and a work is there',
    aCapp({}, { 'rcs.dana.io/has-placement': 'b' }),
    {},
    true,
    'Noted',
  ],
  [
    'somebody has noted it and no work is there',
    aCapp({}, { 'rcs.dana.io/has-placement': 'b' }),
    {},
    false,
    null,
  ],
  ['spec.site names it', aCapp({ site: 'b' }), {}, false, 'Named'],
  [
    'spec.site names it, which may not be named',
    aCapp({ site: 'b' }),
    { config: { ...CONFIG, pinning: undefined } },
    false,
    null,
  ],
  ['spec.site names it, which is no cluster', aCapp({ site: 'b' }), { clusters: { a: {} } }, true, null],
  ['spec.site names it, and there is no RCSConfig', aCapp({ site: 'b' }), { config: null }, false, null],
  ['spec.site names another', aCapp({ site: 'a' }), DECIDED_B, true, null],
  [
    'spec.site names a placement that has not decided for it',
    aCapp({ site: 'first' }),
    DECIDED_B,
    true,
    null,
  ],
  ['spec.site names a placement that has', aCapp({ site: 'second' }), DECIDED_B, false, 'Decided'],
  ['a placement has decided for it', aCapp(), DECIDED_B, false, 'Decided'],
  ['another namespace’s placement has', aCapp(), { decided: { 'apps/first': ['b'] } }, true, null],
  ['a placement that does not count has', aCapp(), { decided: { 'placements/third': ['b'] } }, true, null],
  ['it lacks what the Capp requires', aCapp({ requires }), DECIDED_B, true, null],
  [
    'it has what the Capp requires',
    aCapp({ requires }),
    { ...DECIDED_B, clusters: { b: { region: 'eu' } } },
    false,
    'Decided',
  ],
  ['it is the hub itself', aCapp({ site: 'b' }), { ...DECIDED_B, hub: 'b' }, true, null],
  ['a request by annotation names it', aCapp({}, { 'rcs.dana.io/migrate': 'b#1' }), {}, false, 'Asked'],
  ['a request by force names it', aCapp({}, { 'rcs.dana.io/force': 'b#1' }), {}, false, 'Asked'],
  ['a request names another', aCapp({}, { 'rcs.dana.io/migrate': 'a#1' }), {}, true, null],
  ['a request names no site', aCapp({}, { 'rcs.dana.io/migrate': '#1' }), {}, true, null],
  [
    'a request names it, which may not be named',
    aCapp({}, { 'rcs.dana.io/migrate': 'b#1' }),
    { config: { ...CONFIG, pinning: undefined } },
    true,
    null,
  ],
])('on b, where %s', (_how, live, given, hasWork, wanted) => {
  expect(warrantFor(optionsFrom(given), live, 'b', hasWork)).toBe(wanted);
});

test('a site of a set that a Placement may select is named only where that set is bound', () => {
  const config = { placements: ['first'], placementsNamespace: 'placements' };
  const clusters = { b: { [CLUSTER_SET_LABEL]: 'red' } };
  const options = optionsFrom({ config, clusters });
  expect(warrantFor(options, aCapp({ site: 'b' }), 'b')).toBeNull();
});

test('the sites in a status are those with a copy, each by any field', () => {
  const status = {
    migration: { serving: 'a' },
    applicationLinks: { site: 'a' },
    sites: [
      { clusterName: 'a', role: 'Serving' },
      { clusterName: 'b', role: 'Coming' },
    ],
  };
  expect(new Set(sitesIn(aCapp({}, {}, status)))).toEqual(new Set(['a', 'b']));
  expect(sitesIn(aCapp({}, {}, { applicationLinks: { site: '' } }))).toEqual([]);
});
