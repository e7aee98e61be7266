// A question to the planner, with what several of its answers rest on.
import { stagesOf, type StageSites } from '../membership.ts';
import { viewOf, type StageView } from '../sites.ts';
import type { PlanInput, Rollout } from '../types.ts';

export interface PlanQuestion {
  readonly input: PlanInput;
  readonly stages: readonly StageSites[];
  /**
   * The stages as they are on their way to the settled revision, for sites that get it beside what goes
   * forward or back; null before the first settled revision.
   */
  readonly beside: readonly StageView[] | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function questionOf(input: PlanInput, now: number, stages = stagesOf(input)): PlanQuestion {
  const { settled } = input.rollout;
  const beside =
    settled === null
      ? null
      : stages.map((stage) => viewOf(stage, input, { goal: settled, hasTurn: false, now }));
  return { input, stages, beside, now };
}

/** The same sites, after the rollout has changed. */
export function withRollout({ input, stages, now }: PlanQuestion, rollout: Rollout): PlanQuestion {
  return questionOf({ ...input, rollout }, now, stages);
}
