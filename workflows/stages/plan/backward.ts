// Sites that were changed get the settled revision again: the last stage first, and in it those that changed
// last.
import { settle } from '../gates.ts';
import * as holds from '../holds.ts';
import { joining } from './joining.ts';
import { advanceOf } from './advance.ts';
import { ordered, type StageSites } from '../membership.ts';
import type { PlanQuestion } from './question.ts';
import { progressOf } from '../progress.ts';
import { firstDeadline, isBusy, viewOf, type StageView } from '../sites.ts';
import type { Hold, StagePlan, Target } from '../types.ts';

/**
 * Approvals, soak and windows belong to the way forward. A site that fails on the way back gives its place on
 * after its deadline: it does not keep the others with a revision that failed. A copy that has the settled
 * revision already stays as it is, also where its content no longer fits: that changes stage by stage.
 */
export function backward(asked: PlanQuestion): StagePlan {
  const { input, stages, now } = asked;
  const { rollout } = input;
  const goal = rollout.settled ?? rollout.revision;
  const views = stages.map((stage) => viewOf(asTheyAre(stage, goal), input, { goal, hasTurn: false, now }));
  const last = views.findLast(isBusy);
  const ours = [rollout.revision, ...rollout.halfway].filter((revision) => revision !== goal);
  const advance = views.flatMap((view, index) =>
    view === last
      ? advanceOf(
          view,
          ordered(view.due, ({ since }) => -since),
          ours,
        )
      : joining(asked, index),
  );
  const isBack = last === undefined;
  const done = isBack && rollout.revision === goal;
  const until = firstDeadline(views, input);
  return {
    advance,
    rollout: done ? settle(rollout) : rollout,
    hold: done ? null : holdOf(rollout.cause, isBack, views, until),
    wakeAt: done ? null : until,
    stages: views.map((view) => progressOf(view, isBusy(view) ? 'Back' : 'Passed')),
    done,
  };
}

function asTheyAre(stage: StageSites, goal: string): StageSites {
  const isLeft = ({ revision, isStale }: Target): boolean => revision === goal && isStale === true;
  const sites = stage.sites.map((target) => (isLeft(target) ? { ...target, isStale: false } : target));
  return { ...stage, sites };
}

function holdOf(
  cause: string | null,
  isBack: boolean,
  views: readonly StageView[],
  until: number | null,
): Hold {
  const why = cause ?? 'The rollout goes back.';
  if (!isBack) return holds.rollingBack(why, until);
  const failed = views.flatMap((view) => [...view.failed, ...view.stuck]);
  return failed.length > 0 ? holds.notRolledBack(why, failed) : holds.rolledBack(why);
}
