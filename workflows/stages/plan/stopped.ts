// A rollout that people have paused or aborted.
import * as holds from '../holds.ts';
import { advanceAfterAbort, joinedBy } from './joining.ts';
import type { PlanQuestion } from './question.ts';
import { progressOf } from '../progress.ts';
import { viewOf } from '../sites.ts';
import type { StagePlan } from '../types.ts';

/** A paused rollout changes no site. An aborted one gives no site its revision. */
export function stopped(asked: PlanQuestion): StagePlan {
  const { input, stages, now } = asked;
  const { rollout } = input;
  const { revision, settled, direction, paused, closed } = rollout;
  const isBack = direction === 'Back' && settled !== null;
  const goal = isBack ? settled : revision;
  const views = stages.map((stage) => viewOf(stage, input, { goal, hasTurn: false, now }));
  return {
    advance: paused ? [] : advanceAfterAbort(asked),
    rollout,
    hold: paused ? holds.paused() : holds.aborted(revision),
    wakeAt: paused ? null : joinedBy(asked),
    stages: views.map((view) =>
      progressOf(view, isBack ? 'Back' : closed.includes(view.stage.name) ? 'Passed' : 'Waiting'),
    ),
    done: false,
  };
}
