// Which site belongs to which stage.
import { stagesOf } from '../../../workflows/stages/membership.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { aStrategy, aTarget, targets } from '../../support/builders/fleet/rollouts.ts';

type Given = Parameters<typeof aStrategy>[0];

function members(
  given: readonly Target[],
  strategy: Given,
  seed = 'uid-1',
): Record<string, readonly string[]> {
  const stages = stagesOf({ targets: given, strategy: aStrategy(strategy), seed });
  return Object.fromEntries(stages.map(({ name, sites }) => [name, sites.map(({ cluster }) => cluster)]));
}

test('a site belongs to the first stage that has it, and those that none has come last', () => {
  const fleet = [
    aTarget('b', { labels: { tier: 'canary', region: 'eu' } }),
    aTarget('a', { labels: { region: 'eu' } }),
    aTarget('c'),
  ];
  const stages = [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } } },
    { name: 'eu', sites: { matchExpressions: [{ key: 'region', operator: 'In' as const, values: ['eu'] }] } },
  ];
  expect(members(fleet, { stages })).toEqual({ canary: ['b'], eu: ['a'], rest: ['c'] });
});

test('without stages there is one, and a last stage without sites has all the others', () => {
  expect(members(targets(2), {})).toEqual({ all: ['s1', 's2'] });
  const stages = [{ name: 'one', sites: { count: 1 } }, { name: 'others' }];
  expect(Object.keys(members(targets(2), { stages }))).toEqual(['one', 'others']);
});

test.each([
  { sites: { percent: 10 }, of: 200, has: 20 },
  { sites: { percent: 10 }, of: 3, has: 1 },
  { sites: { percent: 100 }, of: 3, has: 3 },
  { sites: { count: 3 }, of: 200, has: 3 },
  { sites: { count: 3 }, of: 2, has: 2 },
])('$sites of $of sites are $has', ({ sites, of, has }) => {
  expect(members(targets(of), { stages: [{ name: 'some', sites }] })['some']).toHaveLength(has);
});

test('a percentage is of the sites that match and that no earlier stage has', () => {
  const stages = [
    { name: 'half', sites: { percent: 50 } },
    { name: 'quarter', sites: { percent: 50 } },
  ];
  const { half, quarter, rest } = members(targets(100), { stages });
  expect([half?.length, quarter?.length, rest?.length]).toEqual([50, 25, 25]);
});

test('a site that joins or leaves moves at most one other site from or to a stage by percent', () => {
  const strategy = { stages: [{ name: 'tenth', sites: { percent: 10 } }] };
  const before = new Set(members(targets(200), strategy)['tenth']);
  for (const fleet of [targets(201), targets(199), targets(200).toReversed()]) {
    const after = members(fleet, strategy)['tenth'] ?? [];
    expect(after.filter((cluster) => !before.has(cluster)).length).toBeLessThanOrEqual(1);
    expect([...before].filter((cluster) => !after.includes(cluster)).length).toBeLessThanOrEqual(1);
  }
});

test('another object has other sites in its stage by percent', () => {
  const strategy = { stages: [{ name: 'tenth', sites: { percent: 10 } }] };
  const [one, other] = ['uid-1', 'uid-2'].map((seed) => members(targets(200), strategy, seed)['tenth']);
  expect(one).not.toEqual(other);
});

test.each([
  { maxConcurrent: '25%' as const, sites: 3, is: 1 },
  { maxConcurrent: '25%' as const, sites: 11, is: 2 },
  { maxConcurrent: 4, sites: 3, is: 4 },
])('maxConcurrent $maxConcurrent of $sites sites is $is', ({ maxConcurrent, sites, is }) => {
  const [stage] = stagesOf({ targets: targets(sites), strategy: aStrategy({ maxConcurrent }), seed: '' });
  expect(stage?.maxConcurrent).toBe(is);
});

test('limits of a stage come before those of the strategy, and a share of failures is rounded down', () => {
  const strategy = aStrategy({
    maxFailures: '10%',
    soakSeconds: 60,
    stages: [{ name: 'few', sites: { count: 9 }, soakSeconds: 5, maxConcurrent: 2, approval: 'Required' }],
  });
  expect(stagesOf({ targets: targets(19), strategy, seed: '' })).toMatchObject([
    { name: 'few', maxConcurrent: 2, maxFailures: 0, soakMs: 5_000, needsApproval: true },
    { name: 'rest', maxConcurrent: 2, maxFailures: 1, soakMs: 60_000, needsApproval: false },
  ]);
});
