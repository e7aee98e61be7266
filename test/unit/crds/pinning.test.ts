// To which clusters a Capp may be sent by name: those in the clustersets of the RCSConfig's placements, or
// any.
import { selects, type LabelSelector } from '../../../crds/kubernetes/label-selector.ts';
import { pinnable, type PinningInputs } from '../../../crds/ocm/pinning.ts';

const set = (name: string, spec: PinningInputs['sets'][number]['spec'] = {}) => ({
  metadata: { name },
  spec,
});
const byLabels = (name: string, labelSelector: LabelSelector) =>
  set(name, { clusterSelector: { selectorType: 'LabelSelector', labelSelector } });
const bound = (...names: string[]) => names.map((clusterSet) => ({ spec: { clusterSet } }));
const SETS = [
  set('blue'),
  set('red'),
  byLabels('near', { matchLabels: { region: 'near' } }),
  byLabels('global', {}),
];
const inSet = (name: string) => ({ 'cluster.open-cluster-management.io/clusterset': name });
const RED = inSet('red');
const NEAR = { ...inSet('blue'), region: 'near' };

function open(given: Partial<PinningInputs>, labels: Readonly<Record<string, string>> | undefined): boolean {
  return pinnable({ config: {}, placements: [{ spec: {} }], bindings: bound('red'), sets: SETS, ...given })(
    labels,
  );
}

test.each<[string, boolean, Partial<PinningInputs>, Readonly<Record<string, string>> | undefined]>([
  ['in a bound clusterset, while the placement names none', true, {}, RED],
  ['in a clusterset that is not bound', false, {}, inSet('blue')],
  ['in no clusterset', false, {}, undefined],
  [
    'in a bound clusterset that the placement names',
    true,
    { placements: [{ spec: { clusterSets: ['red'] } }] },
    RED,
  ],
  [
    'in a bound clusterset that the placement does not name',
    false,
    { placements: [{ spec: { clusterSets: ['blue'] } }] },
    RED,
  ],
  [
    'in a named clusterset that is not bound',
    false,
    { placements: [{ spec: { clusterSets: ['blue'] } }] },
    inSet('blue'),
  ],
  [
    'in the clusterset of the second placement',
    true,
    { placements: [{ spec: { clusterSets: ['blue'] } }, { spec: { clusterSets: ['red'] } }] },
    RED,
  ],
  ['that the label selector of a bound clusterset selects', true, { bindings: bound('near') }, NEAR],
  [
    'that the label selector of a bound clusterset does not select',
    false,
    { bindings: bound('near') },
    { region: 'far' },
  ],
  [
    'without labels, when a bound clusterset selects all clusters',
    true,
    { bindings: bound('global') },
    undefined,
  ],
  ['in a clusterset that no longer exists', false, { sets: [] }, RED],
  ['in a clusterset, while there is no placement', false, { placements: [] }, RED],
  ['in a clusterset, while there is no ManagedClusterSetBinding', false, { bindings: [] }, RED],
  ['in a clusterset, while there is no RCSConfig', false, { config: null }, RED],
  [
    'in no clusterset, with pinning Any',
    true,
    { config: { pinning: 'Any' }, placements: [], bindings: [], sets: [] },
    undefined,
  ],
  [
    'in another clusterset, with pinning ClusterSets',
    false,
    { config: { pinning: 'ClusterSets' } },
    inSet('blue'),
  ],
])('a cluster %s may be named in spec.site: %s', (_name, expected, given, labels) => {
  expect(open(given, labels)).toBe(expected);
});

test.each<[boolean, LabelSelector]>([
  [true, {}],
  [true, { matchLabels: { a: '1' }, matchExpressions: [{ key: 'b', operator: 'In', values: ['2', '3'] }] }],
  [false, { matchLabels: { a: '1', b: '1' } }],
  [false, { matchExpressions: [{ key: 'c', operator: 'In', values: ['1'] }] }],
  [true, { matchExpressions: [{ key: 'c', operator: 'NotIn', values: ['1'] }] }],
  [false, { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }],
  [true, { matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
  [false, { matchExpressions: [{ key: 'c', operator: 'Exists' }] }],
  [true, { matchExpressions: [{ key: 'c', operator: 'DoesNotExist' }] }],
  [false, { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }],
  [false, { matchExpressions: [{ key: 'a', operator: 'Near' as 'In', values: ['1'] }] }],
])('a label selector selects as in Kubernetes: %s for %j', (expected, selector) => {
  expect(selects(selector, { a: '1', b: '2' })).toBe(expected);
});

test.each<[boolean, LabelSelector]>([
  [false, { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }],
  [true, { matchExpressions: [{ key: 'constructor', operator: 'DoesNotExist' }] }],
  [true, { matchExpressions: [{ key: 'toString', operator: 'DoesNotExist' }] }],
])('what every object inherits is no label: %s for %j', (expected, selector) => {
  expect(selects(selector, { a: '1' })).toBe(expected);
});
