// Where a Capp may be sent by name: the clustersets of the placements that the RCSConfig lists, or anywhere.
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
  ['in a bound clusterset of a placement that names none', true, {}, RED],
  ['in a clusterset that is not bound', false, {}, inSet('blue')],
  ['in no clusterset', false, {}, undefined],
  [
    'in a bound clusterset that the placement names',
    true,
    { placements: [{ spec: { clusterSets: ['red'] } }] },
    RED,
  ],
  [
    'in a bound clusterset that the placement leaves out',
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
  ['selected by labels', true, { bindings: bound('near') }, NEAR],
  ['not selected by labels', false, { bindings: bound('near') }, { region: 'far' }],
  ['anywhere, when everything is a clusterset', true, { bindings: bound('global') }, undefined],
  ['in a clusterset that there is no more', false, { sets: [] }, RED],
  ['without any placement', false, { placements: [] }, RED],
  ['without any binding', false, { bindings: [] }, RED],
  ['without an RCSConfig', false, { config: null }, RED],
  [
    'anywhere, by the RCSConfig’s word',
    true,
    { config: { pinning: 'Any' }, placements: [], bindings: [], sets: [] },
    undefined,
  ],
  ['elsewhere, by the RCSConfig’s word', false, { config: { pinning: 'ClusterSets' } }, inSet('blue')],
])('a cluster %s: %s', (_name, expected, given, labels) => {
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
])('a selector selects as Kubernetes would: %s, %j', (expected, selector) => {
  expect(selects(selector, { a: '1', b: '2' })).toBe(expected);
});
