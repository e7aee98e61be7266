// How the scores of a cluster weigh in the choice: by the weights in its Placement, and only while they are
// valid.
import type { HubCaches } from '../../../../activities/hub/caches.ts';
import { scoreOf, scoresOf } from '../../../../activities/hub/place/scores.ts';
import type { AddOnPlacementScore, Placement } from '../../../../crds/ocm/placements.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
type Policy = NonNullable<NonNullable<Placement['spec']>['prioritizerPolicy']>;
type Configuration = NonNullable<Policy['configurations']>[number];

const byAddOn = (scoreName: string, weight?: number, resourceName = 'rcs-score'): Configuration => ({
  scoreCoordinate: { type: 'AddOn', addOn: { resourceName, scoreName } },
  ...(weight === undefined ? {} : { weight }),
});
const aPlacement = (configurations: readonly Configuration[], mode: Policy['mode'] = 'Exact'): Placement => ({
  metadata: { name: 'p', namespace: 'placements' },
  spec: { prioritizerPolicy: { mode, configurations } },
});
const aScore = (values: Readonly<Record<string, number>>, validUntil?: string): AddOnPlacementScore => ({
  metadata: { name: 'rcs-score', namespace: 'site-1' },
  status: {
    scores: Object.entries(values).map(([name, value]) => ({ name, value })),
    ...(validUntil === undefined ? {} : { validUntil }),
  },
});

const FIGURES = { cpuAvailable: 40, memAvailable: -10 };

it.each<{
  title: string;
  placement: Placement | undefined;
  score: AddOnPlacementScore | undefined;
  sum: number;
}>([
  { title: 'a Placement that does not exist', placement: undefined, score: aScore(FIGURES), sum: 0 },
  {
    title: 'a Placement without prioritizers',
    placement: { metadata: { name: 'p' } },
    score: aScore(FIGURES),
    sum: 0,
  },
  {
    title: 'a Placement with one score',
    placement: aPlacement([byAddOn('cpuAvailable')]),
    score: aScore(FIGURES),
    sum: 40,
  },
  {
    title: 'a Placement that adds a score to the built-in prioritizers',
    placement: aPlacement([byAddOn('cpuAvailable')], 'Additive'),
    score: aScore(FIGURES),
    sum: 40,
  },
  {
    title: 'a Placement with weights',
    placement: aPlacement([byAddOn('cpuAvailable', 2), byAddOn('memAvailable', -3)]),
    score: aScore(FIGURES),
    sum: 110,
  },
  {
    title: 'a Placement with a weight of 0',
    placement: aPlacement([byAddOn('cpuAvailable', 0)]),
    score: aScore(FIGURES),
    sum: 0,
  },
  {
    title: 'a Placement with a built-in prioritizer, which is ignored here',
    placement: aPlacement([
      { scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight: 5 },
      byAddOn('cpuAvailable'),
    ]),
    score: aScore(FIGURES),
    sum: 40,
  },
  {
    title: 'a score that is missing',
    placement: aPlacement([byAddOn('gpu')]),
    score: aScore(FIGURES),
    sum: 0,
  },
  {
    title: 'a prioritizer that names another AddOnPlacementScore',
    placement: aPlacement([byAddOn('cpuAvailable', 1, 'other')]),
    score: aScore(FIGURES),
    sum: 0,
  },
  {
    title: 'a cluster without an AddOnPlacementScore',
    placement: aPlacement([byAddOn('cpuAvailable')]),
    score: undefined,
    sum: 0,
  },
  {
    title: 'a score that is still valid',
    placement: aPlacement([byAddOn('cpuAvailable')]),
    score: aScore(FIGURES, '2026-01-01T00:00:00Z'),
    sum: 40,
  },
  {
    title: 'a score that has expired',
    placement: aPlacement([byAddOn('cpuAvailable')]),
    score: aScore(FIGURES, '2025-12-31T23:59:59Z'),
    sum: 0,
  },
])('$title gives a sum of $sum', ({ placement, score, sum }) => {
  const find = (cluster: string, name: string) =>
    cluster === 'site-1' && name === 'rcs-score' ? score : undefined;
  expect(scoreOf(placement, 'site-1', find, NOW)).toBe(sum);
});

describe('the scores of clusters', () => {
  const placements: Record<string, Placement> = {
    cpu: aPlacement([byAddOn('cpuAvailable')]),
    memory: aPlacement([byAddOn('memAvailable')]),
  };
  const decisions: Record<string, readonly string[]> = {
    'placements/cpu': ['site-1'],
    'placements/memory': ['site-1', 'site-2'],
  };
  const caches = {
    placements: { get: ({ name }: { name: string }) => placements[name] },
    decisions: {
      by: (_index: string, key: string) =>
        (decisions[key] ?? []).map((clusterName) => ({ status: { decisions: [{ clusterName }] } })),
    },
    scores: { get: () => aScore(FIGURES) },
  } as unknown as HubCaches;

  it.each<{ title: string; names: readonly string[]; scores: object }>([
    {
      title: 'come from the Placement that has decided for them',
      names: ['memory'],
      scores: { 'site-1': -10, 'site-2': -10 },
    },
    {
      title: 'come from the first Placement when several have decided for them',
      names: ['cpu', 'memory'],
      scores: { 'site-1': 40, 'site-2': -10 },
    },
    { title: 'are empty when no Placement has decided for them', names: ['gone'], scores: {} },
  ])('$title', ({ names, scores }) => expect(scoresOf(caches, 'placements', names)).toEqual(scores));
});
