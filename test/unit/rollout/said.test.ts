// What condition Progressing says of a rollout: that it goes on, only while it will by itself.
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { heldBy, progressOf, type RolloutCourse } from '../../../activities/hub/rollout/telling/said.ts';
import type { StagePlan } from '../../../workflows/stages/types.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aTarget, planned } from '../../support/builders/fleet/rollouts.ts';

const CANARY = { name: 'canary', sites: { matchLabels: { ring: 'canary' } } };

function saidOf(plan: StagePlan): readonly [boolean, string] {
  const course: Omit<RolloutCourse, 'asked'> = {
    plan,
    memory: { ...memoryOf(aSet('shop', {}), null), rollout: plan.rollout },
    held: 0,
    last: null,
    unremoved: [],
    undecided: null,
  };
  const [isGoing, reason] = progressOf(course, { copies: 'Capps', resource: 'cappset' });
  return [isGoing, reason];
}

test('a stage that no site can prove goes on only when somebody acts, so the rollout does not say that it goes on', () => {
  const strategy = { stages: [CANARY, { name: 'rest' }] };
  expect(saidOf(planned([aTarget('s1')], { strategy }))).toEqual([false, 'Unproven']);
  const lost = aTarget('s2', { labels: { ring: 'canary' }, reachable: false });
  expect(saidOf(planned([aTarget('s1'), lost], { strategy }))).toEqual([false, 'Unproven']);
});

test('a rollout that waits for its sites says that it goes on', () => {
  expect(saidOf(planned([aTarget('s1')]))).toEqual([true, 'SitesUnderWay']);
});

test('the command that lets copies go has another word when the same sites were let go before, since a request counts once', () => {
  const plan = planned([aTarget('s1')]);
  const leaving = { digest: 'abc1234567', since: 0 };
  const commandAfter = (removal: string): string => {
    const memory = memoryOf(aSet('shop', {}), null);
    const course = {
      plan,
      memory: { ...memory, rollout: plan.rollout, leaving, handled: { ...memory.handled, removal } },
      held: 1,
      last: { cluster: 's0', isOverdue: true },
      unremoved: [],
      undecided: null,
    };
    const [, message] = heldBy(course, { copies: 'Capps', resource: 'cappset' });
    return /approve-removal='([^']*)'/.exec(message)?.[1] ?? '';
  };
  const first = commandAfter('');
  const again = commandAfter(first);
  expect(first).toMatch(/^1#[0-9a-f]{10}$/);
  expect(again).toBe(`${first}/again`);
  expect(commandAfter(again)).toBe(first);
  expect(commandAfter('2#other')).toBe(first);
});

test('sites that have failed are named before the last copy, which waits in vain for another until somebody acts', () => {
  const plan = planned([aTarget('s1', { revision: 'new', verdict: 'Failed' })], {});
  const course = {
    plan,
    memory: { ...memoryOf(aSet('shop', {}), null), rollout: plan.rollout },
    held: 1,
    last: { cluster: 's0', isOverdue: true },
    unremoved: [],
    undecided: null,
  };
  const [reason, message] = heldBy(course, { copies: 'Capps', resource: 'cappset' });
  expect(reason).toBe('SitesFailed');
  expect(message).toContain('s0, which is no longer selected, is the last Ready one');
});
