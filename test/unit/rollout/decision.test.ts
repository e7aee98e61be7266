// Which sites an object on many sites names, and when nobody knows: then no site is added or left.
import { decisionFor, type DecisionOptions } from '../../../activities/hub/rollout/decision.ts';

const CONFIG = { namespace: 'system', name: 'config' };

interface Given {
  /** By `<namespace>/<name>`. */
  readonly placements?: Readonly<Record<string, object>>;
  /** The clusters on each page of decisions of a Placement. */
  readonly pages?: Readonly<Record<string, readonly (readonly string[])[]>>;
}

function decided({ placements = {}, pages = {} }: Given, spec: object) {
  const listed = { spec: { placements: ['everywhere'], placementsNamespace: 'placements' } };
  const caches = {
    configs: { get: () => listed },
    placements: {
      get: ({ namespace, name }: { namespace: string; name: string }) => placements[`${namespace}/${name}`],
    },
    decisions: {
      by: (_index: string, key: string) =>
        (pages[key] ?? []).map((clusters) => ({
          status: { decisions: clusters.map((clusterName) => ({ clusterName, reason: '' })) },
        })),
    },
  } as unknown as DecisionOptions['caches'];
  return decisionFor({ caches, config: CONFIG }, { metadata: { namespace: 'apps' }, spec });
}

const ofMine = (placement: object | null, ...pages: readonly (readonly string[])[]) =>
  decided(
    {
      placements: placement === null ? {} : { 'apps/mine': placement },
      pages: { 'apps/mine': pages },
    },
    { placement: 'mine' },
  );
const selecting = (numberOfSelectedClusters: number | undefined, spec: object = {}) => ({
  metadata: { uid: 'uid-1' },
  spec,
  status: numberOfSelectedClusters === undefined ? {} : { numberOfSelectedClusters },
});

test.each<[string, ReturnType<typeof ofMine>, string]>([
  ['there is no Placement, whatever decisions are left', ofMine(null, ['a']), 'NoPlacement'],
  ['it selects no site', ofMine(selecting(0)), 'NoDecision'],
  ['its decisions are not there yet', ofMine(selecting(2)), 'NoDecision'],
  ['its only page is empty', ofMine(selecting(0), []), 'NoDecision'],
  ['a page is missing', ofMine(selecting(3), ['a', 'b']), 'DecisionIncomplete'],
  ['there is a page too many', ofMine(selecting(1), ['a'], ['b']), 'DecisionIncomplete'],
  ['nobody has said how many it selects', ofMine(selecting(undefined), ['a']), 'DecisionIncomplete'],
])('nobody knows the sites when %s', (_when, { undecided, clusters }, reason) => {
  expect([undecided?.reason, clusters]).toEqual([reason, []]);
});

test('the sites are those on all pages, with what the Placement asks for', () => {
  expect(ofMine(selecting(3, { numberOfClusters: 4 }), ['a', 'b'], ['c'])).toEqual({
    clusters: ['a', 'b', 'c'],
    undecided: null,
    number: 4,
    placement: 'uid-1',
    isNamed: false,
  });
});

test('a Placement that the RCSConfig lists goes before one that a namespace calls the same', () => {
  const placements = { 'placements/everywhere': selecting(1), 'apps/everywhere': selecting(1) };
  const pages = { 'placements/everywhere': [['a']], 'apps/everywhere': [['b']] };
  expect(decided({ placements, pages }, { placement: 'everywhere' }).clusters).toEqual(['a']);
});

test('sites that people name count once each, without a Placement', () => {
  const { clusters, isNamed, number, placement } = decided({}, { sites: { clusters: ['b', 'a', 'b'] } });
  expect([clusters, isNamed, number, placement]).toEqual([['b', 'a'], true, null, null]);
});
