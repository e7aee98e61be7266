// What condition Progressing says of a rollout: that it goes on, only while it will by itself.
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { progressOf, type RolloutCourse } from '../../../activities/hub/rollout/telling/said.ts';
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
