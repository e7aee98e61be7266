// What a rule of rollouts looks at: a plan, and what it was made from.
import type { StageSites } from '../../../workflows/stages/membership.ts';
import type { StagePlan, PlanInput, Target } from '../../../workflows/stages/types.ts';

export interface Look {
  readonly input: PlanInput;
  readonly stages: readonly StageSites[];
  readonly plan: StagePlan;
  readonly now: number;
}

/** Null, or how the plan breaks the rule. */
export type Rule = (look: Look) => string | null;

export const isComplete = ({ revision, settled, direction, isResettling }: PlanInput['rollout']): boolean =>
  direction === 'Forward' && revision === settled && isResettling !== true;

export const isReadyAt = ({ revision, verdict, reachable, isStale }: Target, goal: string): boolean =>
  reachable && revision === goal && verdict === 'Ready' && isStale !== true;

/** Not Ready yet, not failed, and not offline since before its turn. */
export function isWaitedFor(target: Target, { strategy, rollout }: PlanInput, now: number): boolean {
  if (target.verdict === 'Ready') return false;
  const retried = Math.max(rollout.retries[target.cluster] ?? 0, rollout.retries['*'] ?? 0);
  const isFailed = target.verdict === 'Failed' && retried < target.since;
  return !isFailed && now < Math.max(target.since, retried) + strategy.deadlineSeconds * 1_000;
}

/** Every site had a settled revision: it is not why one is lost that did not get it anew. */
export function isLostBefore(
  { reachable, writtenAt = 0 }: Target,
  { isResettling = false, resettledAt = 0 }: PlanInput['rollout'],
): boolean {
  return isResettling && !reachable && writtenAt < resettledAt;
}
