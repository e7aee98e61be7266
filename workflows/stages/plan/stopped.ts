// A rollout that people have paused or aborted.
import * as holds from '../holds.ts';
import { caughtUp, joinedBy } from './joining.ts';
import { progressOf, type PlanQuestion } from '../progress.ts';
import { viewOf } from '../sites.ts';
import type { StagePlan } from '../types.ts';

/** A paused rollout changes no site. An aborted one gives no site its revision. */
export function stopped({ input, stages, now }: PlanQuestion): StagePlan {
  const { rollout } = input;
  const { revision, settled, direction, paused, closed } = rollout;
  const isBack = direction === 'Back' && settled !== null;
  const goal = isBack ? settled : revision;
  const views = stages.map((stage) => viewOf(stage, input, { goal, hasTurn: false, now }));
  return {
    advance: paused ? [] : stages.flatMap((stage) => caughtUp(stage, input, now)),
    rollout,
    hold: paused ? holds.paused() : holds.aborted(revision),
    wakeAt: paused ? null : joinedBy(stages, input, now),
    stages: views.map((view) =>
      progressOf(view, isBack ? 'Back' : closed.includes(view.stage.name) ? 'Passed' : 'Waiting'),
    ),
    done: false,
  };
}
