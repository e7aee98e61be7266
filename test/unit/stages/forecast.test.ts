// What is foreseen of a rollout before anything changes is what its turns then do, when nothing changes in
// between.
import { forecast, type Forecast } from '../../../workflows/stages/forecast.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import type { PlanInput, Target } from '../../../workflows/stages/types.ts';
import { random, type Random } from '../../support/builders/random.ts';
import { aRollout, aStrategy, aTarget, targets } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';
import { play } from '../../support/rollouts/played.ts';
import { aRandomStrategy } from '../../support/rollouts/strategies.ts';

const SEEDS = 1_000;

/** Of a fleet as it may be found: half-way revisions, sites that fail, are away, or have no copy yet. */
function aRandomInput(chance: Random): PlanInput {
  const { windows: _windows, ...given } = aRandomStrategy(chance);
  // On a way back that begins meanwhile those come first that changed last, which nobody foresees.
  const strategy = { ...given, onFailure: 'Pause' as const };
  const isFirst = chance.chance(0.2);
  const revisions = isFirst ? [null, 'new'] : ['old', 'old', 'old', 'half', 'new', null];
  // How many go on before the deadline of a site that was lost with the new revision, nobody foresees either.
  const lost = ({ reachable, revision }: Target): Partial<Target> =>
    !reachable && revision === 'new' ? { reachable: true } : {};
  const aSite = (index: number): Target =>
    aTarget(`s${index}`, {
      labels: { tier: chance.pick(['canary', 'edge']) },
      reachable: !chance.chance(0.15),
      revision: chance.pick(revisions),
      verdict: chance.pick(['Ready', 'Ready', 'Ready', 'Progressing', 'Failed']),
      since: NOW - Math.floor(chance.next() * 10_000),
    });
  const found = Array.from({ length: 1 + Math.floor(chance.next() * 18) }, (_, index) => {
    const one = aSite(index);
    return { ...one, ...lost(one) };
  });
  const settled = { ...begin(null, 'old', NOW), settled: 'old' };
  const back = { direction: 'Back', cause: 'It failed.' } as const;
  const rollout = isFirst
    ? begin(null, 'new', NOW)
    : { ...begin(settled, 'new', NOW), halfway: ['half'], ...(chance.chance(0.1) ? back : {}) };
  return { targets: found, strategy, rollout, seed: 'uid-1' };
}

/**
 * By stage, the order of its sites. When a site that has no copy yet gets the settled revision hangs on how
 * soon others are Ready, which nobody foresees.
 */
function byStage(
  changed: readonly string[],
  { rollout, targets: given }: PlanInput,
): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const goal = rollout.direction === 'Back' ? rollout.settled : rollout.revision;
  const isNew = (site: string): boolean =>
    given.some(({ cluster, revision }) => cluster === site && revision === null);
  for (const one of changed) {
    const [, site = '', revision = ''] = /^\S+ (.+)=(.+)$/.exec(one) ?? [];
    if (isNew(site) && (revision !== goal || rollout.direction === 'Back')) continue;
    const [stage = '', what = ''] = one.split(' ');
    (found[stage] ??= []).push(what);
  }
  return found;
}

function changedIn({ steps }: Forecast): string[] {
  return steps.flatMap(({ stage, sites, revision }) => sites.map((site) => `${stage} ${site}=${revision}`));
}

const approvedIn = ({ steps, last }: Forecast): string[] =>
  [...steps.flatMap(({ after }) => after), ...last]
    .filter(({ reason }) => reason === 'AwaitsApproval')
    .map(({ stage }) => stage);

test('of a thousand random fleets it names the same sites in the same order, and the same approvals, as the turns do', () => {
  let changes = 0;
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const input = aRandomInput(random(seed));
    const told = forecast(input, NOW);
    const done = play(input, NOW, random(seed));
    expect({
      seed,
      changed: byStage(changedIn(told), input),
      approved: approvedIn(told),
      stop: told.stop?.reason,
    }).toEqual({
      seed,
      changed: byStage(done.changed, input),
      approved: done.approved,
      stop: done.stop?.reason,
    });
    changes += done.changed.length;
  }
  expect(changes).toBeGreaterThan(SEEDS * 2);
});

const STAGES = [
  { name: 'canary', sites: { count: 1 }, soakSeconds: 600 },
  { name: 'tenth', sites: { count: 2 }, approval: 'Required' as const },
];

test('it says which gates each stage waits for, and until when at the earliest', () => {
  const input = {
    targets: targets(5),
    strategy: aStrategy({ stages: STAGES }),
    rollout: aRollout(),
    seed: 'u',
  };
  const { steps, last, stop } = forecast(input, NOW);
  expect(steps.map(({ stage, atOnce, after, sites }) => [stage, atOnce, sites.length, after])).toEqual([
    ['canary', 1, 1, []],
    [
      'tenth',
      1,
      2,
      [
        { reason: 'Soaking', stage: 'canary', until: NOW + 600_000 },
        { reason: 'AwaitsApproval', stage: 'tenth', until: null },
      ],
    ],
    ['rest', 1, 2, []],
  ]);
  expect([last, stop]).toEqual([[], null]);
});

test('a window that is shut is waited for, and one that never opens ends it', () => {
  const at = (timeZone: string): Forecast => {
    const windows = [{ days: ['Mon' as const], from: '22:00', to: '23:00', timeZone: 'UTC' }];
    const strategy = { ...aStrategy(), windows: windows.map((one) => ({ ...one, timeZone })) };
    return forecast(
      { targets: targets(2), strategy, rollout: aRollout(), seed: 'u' },
      Date.parse('2026-03-01T12:00:00Z'),
    );
  };
  expect(at('UTC').steps.map(({ after, sites }) => [after, sites])).toEqual([
    [[{ reason: 'OutsideWindow', stage: 'all', until: Date.parse('2026-03-02T22:00:00Z') }], ['s1', 's2']],
  ]);
  expect(at('Nowhere/Land')).toMatchObject({ steps: [], stop: { reason: 'OutsideWindow' } });
});

test('what only a person ends is said, with what has happened before it', () => {
  const given = [...targets(3), aTarget('s9', { revision: 'new', verdict: 'Failed' })];
  const failed = forecast({ targets: given, strategy: aStrategy(), rollout: aRollout(), seed: 'u' }, NOW);
  expect(failed).toMatchObject({ steps: [], stop: { reason: 'SitesFailed' } });
  const paused = forecast(
    { targets: targets(3), strategy: aStrategy(), rollout: aRollout({ paused: true }), seed: 'u' },
    NOW,
  );
  expect(paused).toMatchObject({ steps: [], stop: { reason: 'Paused' } });
});

test('a thousand sites one by one are one step', () => {
  const strategy = aStrategy({ maxConcurrent: 1 });
  const { steps } = forecast({ targets: targets(1_000), strategy, rollout: aRollout(), seed: 'u' }, NOW);
  expect([steps.length, steps[0]?.atOnce, steps[0]?.sites.length]).toEqual([1, 1, 1_000]);
});

test('a site whose deadline has passed does not become Ready by itself, and one that has time does', () => {
  const strategy = aStrategy({ deadlineSeconds: 10, maxConcurrent: 1 });
  const late = (since: number) => ({
    targets: [
      aTarget('a', { revision: 'new', verdict: 'Progressing', since }),
      aTarget('b', { revision: 'old', verdict: 'Ready' }),
    ],
    strategy,
    rollout: { ...begin({ ...begin(null, 'old', NOW), settled: 'old' }, 'new', NOW) },
    seed: 'uid-1',
  });
  expect(forecast(late(NOW - 10_000), NOW)).toMatchObject({ steps: [], stop: { reason: 'SitesFailed' } });
  expect(forecast(late(NOW - 9_000), NOW)).toMatchObject({ steps: [{ sites: ['b'] }], stop: null });
});
