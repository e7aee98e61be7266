import type { HubCaches } from '../../../activities/hub/caches.ts';
import { scoreOf, scoresOf } from '../../../activities/hub/place/scores.ts';
import type { AddOnPlacementScore, Placement } from '../../../crds/ocm/ocm.ts';

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
  { title: 'a Placement that is gone', placement: undefined, score: aScore(FIGURES), sum: 0 },
  {
    title: 'one without prioritizers',
    placement: { metadata: { name: 'p' } },
    score: aScore(FIGURES),
    sum: 0,
  },
  { title: 'one figure', placement: aPlacement([byAddOn('cpuAvailable')]), score: aScore(FIGURES), sum: 40 },
  {
    title: 'beside what is built in',
    placement: aPlacement([byAddOn('cpuAvailable')], 'Additive'),
    score: aScore(FIGURES),
    sum: 40,
  },
  {
    title: 'weights',
    placement: aPlacement([byAddOn('cpuAvailable', 2), byAddOn('memAvailable', -3)]),
    score: aScore(FIGURES),
    sum: 110,
  },
  {
    title: 'a weight of 0',
    placement: aPlacement([byAddOn('cpuAvailable', 0)]),
    score: aScore(FIGURES),
    sum: 0,
  },
  {
    title: 'only what comes from add-ons',
    placement: aPlacement([
      { scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight: 5 },
      byAddOn('cpuAvailable'),
    ]),
    score: aScore(FIGURES),
    sum: 40,
  },
  {
    title: 'a figure that is missing',
    placement: aPlacement([byAddOn('gpu')]),
    score: aScore(FIGURES),
    sum: 0,
  },
  {
    title: 'an object of another name',
    placement: aPlacement([byAddOn('cpuAvailable', 1, 'other')]),
    score: aScore(FIGURES),
    sum: 0,
  },
  { title: 'no object', placement: aPlacement([byAddOn('cpuAvailable')]), score: undefined, sum: 0 },
  {
    title: 'a score that is valid yet',
    placement: aPlacement([byAddOn('cpuAvailable')]),
    score: aScore(FIGURES, '2026-01-01T00:00:00Z'),
    sum: 40,
  },
  {
    title: 'one that has expired',
    placement: aPlacement([byAddOn('cpuAvailable')]),
    score: aScore(FIGURES, '2025-12-31T23:59:59Z'),
    sum: 0,
  },
])('$title: $sum', ({ placement, score, sum }) => {
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
      title: 'are those of the Placement that has decided for them',
      names: ['memory'],
      scores: { 'site-1': -10, 'site-2': -10 },
    },
    {
      title: 'are those of the first of several',
      names: ['cpu', 'memory'],
      scores: { 'site-1': 40, 'site-2': -10 },
    },
    { title: 'are none where nothing is decided', names: ['gone'], scores: {} },
  ])('$title', ({ names, scores }) => expect(scoresOf(caches, 'placements', names)).toEqual(scores));
});
