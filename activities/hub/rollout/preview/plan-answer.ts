// The answer to who asks what a rollout would do: the same form for CappSets and Bundles. Pure.
import type { RolloutPlan } from '../../../../crds/rollout/plan.ts';
import type { Forecast, Wait } from '../../../../workflows/stages/forecast.ts';
import type { Rollout } from '../../../../workflows/stages/types.ts';
import type { Decision } from '../decision.ts';

/** What is foreseen; without a decision nothing is, and that is why it stops. */
export type Foreseen = Pick<Forecast, 'steps' | 'last'> & {
  readonly stop: { readonly reason: string; readonly message: string } | null;
};

export interface AnsweredPlan extends Pick<RolloutPlan, 'excluded' | 'removed' | 'changes' | 'moreChanges'> {
  readonly rollout: Rollout;
  readonly told: Foreseen;
  /** Sites that cannot be reached and have another revision. */
  readonly offline: readonly string[];
}

export function toldBy(undecided: Decision['undecided'], foreseen: () => Forecast): Foreseen {
  return undecided === null ? foreseen() : { steps: [], last: [], stop: undecided };
}

export function answerWith({ rollout, told, offline, ...rest }: AnsweredPlan): RolloutPlan {
  const { steps, last, stop } = told;
  const given = new Set(steps.flatMap(({ sites }) => sites));
  return {
    revision: rollout.revision,
    ...(rollout.settled === null ? {} : { settled: rollout.settled }),
    steps: steps.map(({ after, sites, ...step }) => ({
      ...step,
      after: after.map(waitOf),
      sites: [...sites],
    })),
    last: last.map(waitOf),
    ...(stop === null ? {} : { stop: { reason: stop.reason, message: stop.message } }),
    offline: offline.filter((cluster) => !given.has(cluster)),
    ...rest,
  };
}

function waitOf({ reason, stage, until }: Wait): RolloutPlan['last'][number] {
  return { reason, stage, ...(until === null ? {} : { until: new Date(until).toISOString() }) };
}
