// For which Capps a change of the RCSConfig, of a placement decision or of a ManagedCluster rings.
import type { Placement, PlacementDecision } from '../../../../crds/ocm/placements.ts';
import type { RcsConfig } from '../../../../crds/hub/rcs-config.ts';
import {
  aCluster,
  aConfig,
  aDrainOf,
  decided,
  onSite,
  rung,
  versionsRung,
  workOn,
} from '../../../support/builders/placing-rings.ts';

const placed = [
  onSite('new', null),
  onSite('one', 'site-1'),
  onSite('two', 'site-2'),
  onSite('pinned', 'site-3', { site: 'site-3' }),
];

test.each<[string, string[], RcsConfig[], RcsConfig, RcsConfig]>([
  ['one more placement', ['new'], [aConfig(['all', 'edge'])], aConfig(['all']), aConfig(['all', 'edge'])],
  [
    'its placements in another order',
    ['new'],
    [aConfig(['edge', 'all'])],
    aConfig(['all', 'edge']),
    aConfig(['edge', 'all']),
  ],
  [
    'other placements, whose decisions do not contain the sites',
    ['new', 'one', 'two'],
    [aConfig(['edge'])],
    aConfig(['all']),
    aConfig(['edge']),
  ],
  [
    'another placementsNamespace',
    ['new', 'one', 'two'],
    [aConfig(['all'], { placementsNamespace: 'others' })],
    aConfig(['all']),
    aConfig(['all'], { placementsNamespace: 'others' }),
  ],
  [
    'another value of pinning',
    ['new'],
    [aConfig(['all'], { pinning: 'Any' })],
    aConfig(['all']),
    aConfig(['all'], { pinning: 'Any' }),
  ],
  [
    'other default resources',
    [],
    [aConfig(['all'], { defaultResources: { limits: { cpu: '1' } } })],
    aConfig(['all']),
    aConfig(['all'], { defaultResources: { limits: { cpu: '1' } } }),
  ],
  [
    'another invalid hostname pattern',
    [],
    [aConfig(['all'], { invalidHostnamePatterns: ['^x'] })],
    aConfig(['all']),
    aConfig(['all'], { invalidHostnamePatterns: ['^x'] }),
  ],
])('an RCSConfig that is changed to %s rings %j', (_name, names, configs, before, after) => {
  expect(rung({ capps: placed, configs }, 'configs', { before, after })).toEqual(names);
});

test('an RCSConfig that is created or deleted rings only the Capps without a site', () => {
  expect(rung({ capps: placed }, 'configs', { after: aConfig(['all']) })).toEqual(['new']);
  expect(
    rung({ capps: placed, configs: [] }, 'configs', {
      before: aConfig(['all']),
      after: aConfig(['all']),
      type: 'Deleted',
    }),
  ).toEqual(['new']);
});

test.each<[string, string[], PlacementDecision, PlacementDecision]>([
  ['drops a site', ['new', 'two'], decided('all', ['site-1', 'site-2']), decided('all', ['site-1'])],
  [
    'adds a site',
    ['new'],
    decided('all', ['site-1', 'site-2']),
    decided('all', ['site-1', 'site-2', 'site-3']),
  ],
  [
    'adds a site again, which a review may have missed,',
    ['new', 'two'],
    decided('all', ['site-1']),
    decided('all', ['site-1', 'site-2']),
  ],
  [
    'belongs to a placement that the RCSConfig does not list',
    [],
    decided('edge', ['site-1']),
    decided('edge', []),
  ],
  [
    'belongs to a placement in another namespace',
    [],
    decided('all', ['site-1'], 'others'),
    decided('all', [], 'others'),
  ],
])('a PlacementDecision that %s rings %j', (_name, names, before, after) => {
  expect(rung({ capps: placed, decisions: [after] }, 'decisions', { before, after })).toEqual(names);
});

test('a cluster that becomes available or unavailable rings the Capps that are moving to it', () => {
  const moving = onSite('two', 'site-2');
  const facts = {
    capps: [moving, onSite('other', 'site-2')],
    works: [workOn('site-1', 'two'), workOn('site-2', 'two')],
  };
  expect(
    rung(facts, 'clusters', { before: aCluster('site-1', 'Unknown'), after: aCluster('site-1') }),
  ).toEqual(['two']);
});

test.each([
  ['that the RCSConfig lists', 'all', 'placements', ['new']],
  ['beside those that the RCSConfig lists, as a trial of a plan', 'capp-plan-1', 'placements', []],
  ['of the same name in another namespace', 'all', 'others', []],
])('a new Placement %s rings the Capps that wait', (_which, name, namespace, names) => {
  const after = { metadata: { name, namespace }, spec: {} } as Placement;
  expect(rung({ capps: placed }, 'placements', { after })).toEqual(names);
});

test('a Placement whose decisions become complete rings the Capps on sites that the decisions do not contain', () => {
  const counted = (numberOfSelectedClusters: number) => ({
    metadata: { name: 'all', namespace: 'placements', resourceVersion: '9' },
    status: { numberOfSelectedClusters },
  });
  const facts = { capps: placed, decisions: [decided('all', ['site-2'])] };
  expect(rung(facts, 'placements', { before: counted(2), after: counted(1) })).toEqual(['new', 'one']);
});

test('a cluster that becomes unavailable rings all Capps with a work there, also those that are being deleted', () => {
  const going = {
    ...onSite('going', 'site-2'),
    metadata: { ...onSite('going', 'site-2').metadata, deletionTimestamp: 'x' },
  };
  const facts = {
    capps: [going, onSite('two', 'site-2')],
    works: [workOn('site-1', 'going'), workOn('site-1', 'two')],
  };
  const before = aCluster('site-1');
  expect(rung(facts, 'clusters', { before, after: aCluster('site-1', 'Unknown') })).toEqual(['going', 'two']);
  expect(rung(facts, 'clusters', { before, after: before })).toEqual([]);
});

test.each<['configs' | 'decisions' | 'clusters' | 'drains', object, string]>([
  ['configs', aConfig(['all']), 'RCSConfig 9'],
  ['decisions', decided('all', ['site-1']), 'PlacementDecision 9'],
  ['clusters', aCluster('site-1'), 'ManagedCluster 9'],
  ['drains', aDrainOf('site-1'), 'Drain 9'],
])(
  'a deletion among the %s rings with the resourceVersion of the deletion, so that no older cache answers',
  (kind, gone, mark) => {
    rung({ capps: placed }, kind, { before: gone, after: gone, type: 'Deleted' });
    expect(versionsRung()).toEqual(new Set([mark]));
  },
);

const OPEN = aDrainOf('site-1', { dryRun: true });
const CLOSED = aDrainOf('site-1');
test.each<[string, { before?: object | null; after: object; type?: string }, string[]]>([
  ['is created', { after: CLOSED }, []],
  ['becomes a dry run', { before: CLOSED, after: OPEN }, ['new']],
  ['is no dry run any more', { before: OPEN, after: CLOSED }, []],
  ['reports how far it is', { before: CLOSED, after: { ...CLOSED, status: { moved: 1 } } }, []],
  [
    'begins to be deleted',
    { before: CLOSED, after: aDrainOf('site-1', {}, { deletionTimestamp: 'now' }) },
    ['new'],
  ],
  ['is deleted', { before: CLOSED, after: CLOSED, type: 'Deleted' }, ['new']],
  [
    'is deleted, and comes with its deletion',
    { before: CLOSED, after: aDrainOf('site-1', {}, { deletionTimestamp: 'now' }), type: 'Deleted' },
    ['new'],
  ],
  ['is deleted and was a dry run', { before: OPEN, after: OPEN, type: 'Deleted' }, []],
])('a Drain that %s rings, of Capps that wait for a site, %j', (_title, change, names) => {
  expect(rung({ capps: [onSite('new', null), onSite('one', 'site-1')] }, 'drains', change)).toEqual(names);
});
