// The planner of rollouts over many sites: a pure function of what the sites are, what was asked and the
// time.
import { backward } from './backward.ts';
import { forward } from './forward.ts';
import * as holds from '../holds.ts';
import { questionOf, withRollout } from './question.ts';
import { stopped } from './stopped.ts';
import { isSettled, resettled, resumed } from '../gates.ts';
import type { StagePlan, PlanInput } from '../types.ts';

/** Which sites get which revision now, and why not more. */
export function plan(input: PlanInput, now: number): StagePlan {
  const { targets } = input;
  const rollout = resettled(input.rollout, targets, now);
  if (targets.length === 0)
    return {
      advance: [],
      rollout,
      hold: holds.noSites(),
      wakeAt: null,
      stages: [],
      done: false,
    };
  const asked = questionOf({ ...input, rollout }, now);
  if (rollout.paused || (rollout.aborted && !isSettled(rollout))) return stopped(asked);
  if (rollout.direction === 'Forward') return forward(asked);
  const back = backward(asked);
  const again = back.done ? resumed(rollout, back.rollout, { targets, now }) : null;
  return again === null ? back : forward(withRollout(asked, again));
}
