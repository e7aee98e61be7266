// What the hub itself writes is what the notifier listens for: conditions that workflow, planner and statuses
// make, and not such as a test makes up.
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { statusOf, type SetTold } from '../../../activities/hub/set/set-status.ts';
import type { SetMember } from '../../../activities/hub/set/targets.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { newsOfCapp } from '../../../notify/news/capp.ts';
import { newsOfFleet } from '../../../notify/news/fleet.ts';
import type { News } from '../../../notify/news/news.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { aRollout, aTarget, planned } from '../../support/builders/fleet/rollouts.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aCopy, aMove, aPlacedState, aState, MINUTE, NOW } from '../../support/builders/states.ts';

const said = (news: readonly News[]) => news.map(({ topic, reason }) => [topic, reason]);

function ofCapp(state: State, now: number): readonly News[] {
  const lastTransitionTime = new Date(now).toISOString();
  const conditions = conditionsOf(state, now).map((one) => ({ ...one, lastTransitionTime }));
  const metadata = { namespace: 'apps', name: 'app', uid: 'u' };
  return newsOfCapp({ metadata, spec: {}, status: { conditions } } as unknown as Capp);
}

const finding = {
  verdict: 'Progressing',
  healthy: false,
  reason: 'Deploying',
  message: 'It starts.',
  statusHash: 'h',
} as const;
const late = aPlacedState({ copies: { 'site-1': aCopy({ finding }) } });

test.each([
  ['before its deadline', late, NOW, []],
  ['after its deadline', late, NOW + 10 * MINUTE, [['AppStuck', 'DeadlinePassed']]],
  [
    'that no site can take',
    aState({ placing: { reason: 'NoCandidate', message: 'No site.' } }),
    NOW,
    [['AppStuck', 'NoCandidate']],
  ],
  ['that is new', aState(), NOW, []],
])('of a Capp %s', (_what, state, now, expected) => {
  expect(said(ofCapp(state, now))).toEqual(expected);
});

test('of a Capp whose old copy may still run, the word of a person is awaited', () => {
  const leaving = { 'site-3': { since: NOW, lookedAtRing: 1, lost: 'Unreachable' as const } };
  const move = aMove({ strategy: 'Recreate', from: 'site-3' });
  expect(said(ofCapp(aPlacedState({ move, leaving }), NOW))).toContainEqual([
    'ApprovalAwaited',
    'AwaitsConfirmation',
  ]);
});

type Planned = NonNullable<Parameters<typeof planned>[1]>;

function ofSet(targets: readonly Target[], how: Planned, more: Partial<SetTold> = {}): readonly News[] {
  const set = aSet('shop', {});
  const plan = planned(targets, how);
  const members = targets.map((target): SetMember => ({
    site: { ...target, lostSince: null, draining: false },
    name: `shop-${target.cluster}`,
    child: null,
    isTaken: false,
    target,
    settlesAt: null,
    problem: null,
  }));
  const none = { undecided: null, barred: [], kept: 0, held: 0, last: null, unremoved: [], asked: [] };
  const memory = { ...memoryOf(set, null), rollout: aRollout(how.rollout) };
  const status = statusOf(set, { ...none, members, plan, memory, ...more }, NOW);
  return newsOfFleet('CappSet', { ...set, status });
}

const STAGED = {
  stages: [
    { name: 'canary', sites: { count: 1 } },
    { name: 'rest', approval: 'Required' as const },
  ],
};
const DONE = aTarget('s1', { revision: 'new' });

test.each<[string, readonly Target[], Planned, object, readonly (readonly string[])[]]>([
  ['under way', [aTarget('s1'), aTarget('s2')], { strategy: STAGED }, {}, []],
  [
    'of which a stage waits',
    [DONE, aTarget('s2')],
    { strategy: STAGED },
    {},
    [['ApprovalAwaited', 'AwaitsApproval']],
  ],
  [
    'of which a site has failed',
    [{ ...DONE, verdict: 'Failed' }, aTarget('s2')],
    { strategy: STAGED },
    {},
    [['RolloutHeld', 'SitesFailed']],
  ],
  ['that has arrived', [DONE], {}, {}, []],
  ['that a person has paused', [aTarget('s1')], { rollout: { paused: true } }, {}, []],
  ['that would remove many', [DONE], {}, { held: 7 }, [['ApprovalAwaited', 'RemovalHeld']]],
  [
    'whose sites nobody knows',
    [DONE],
    {},
    { undecided: { reason: 'NoDecision', message: 'None.' } },
    [['RolloutHeld', 'NoDecision']],
  ],
])('of a CappSet %s', (_what, targets, how, more, expected) => {
  expect(said(ofSet(targets, how, more))).toEqual(expected);
});
