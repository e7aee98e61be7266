// What the status of a set counts: each site once, and as Ready only what can be reached and is so.
import { statusOf, type SetTold } from '../../../activities/hub/set/set-status.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import type { SetMember } from '../../../activities/hub/set/targets.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aRollout, aTarget, planned } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

const SETTLED = aRollout({ revision: 'old', settled: 'old', halfway: [] });
const set = aSet('shop', {});

function memberFor(target: Target): SetMember {
  const { cluster, labels, reachable, verdict } = target;
  const problem = verdict === 'Ready' ? null : { reason: 'RolloutFailed', message: 'It crashes.' };
  const site = { cluster, labels, reachable, lostSince: null, draining: false };
  return {
    site,
    name: `shop-${cluster}`,
    child: null,
    isTaken: false,
    target,
    settlesAt: null,
    problem,
  };
}

function statusWith(...targets: readonly Target[]) {
  const told: SetTold = {
    undecided: null,
    barred: [],
    members: targets.map(memberFor),
    plan: planned(targets, { rollout: SETTLED }),
    memory: { ...memoryOf(set, null), rollout: SETTLED },
    kept: 0,
    held: 0,
    last: null,
    unremoved: [],
    asked: [],
  };
  const status = statusOf(set, told, NOW);
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return [status.readySites, status.offline, ready?.status, ready?.reason];
}

const FAILED = aTarget('s1', { verdict: 'Failed' });
const LOST = aTarget('s2', { reachable: false });

test('a site that cannot be reached does not make up for one that fails, whatever was last heard of it', () => {
  expect(statusWith(FAILED, LOST)).toEqual(['0/2', 1, 'False', 'SitesNotReady']);
});

test('a set is Ready without the sites that cannot be reached, and not when there is no other', () => {
  expect(statusWith(aTarget('s1'), LOST)).toEqual(['1/2', 1, 'True', 'SitesReady']);
  expect(statusWith(LOST)).toEqual(['0/1', 1, 'False', 'SitesNotReady']);
});
