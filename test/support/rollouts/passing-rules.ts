// When a stage may pass: its sites are Ready, soaked and proven, and people have approved it.
import type { StageSites } from '../../../workflows/stages/membership.ts';
import type { PlanInput, Target } from '../../../workflows/stages/types.ts';
import { isComplete, isLostBefore, isReadyAt, type Look, type Rule } from './look.ts';

/** Sites that are not Ready, and that nothing excuses. */
function lackingOf({ sites }: StageSites, { rollout, strategy }: PlanInput, now: number): number {
  const { revision } = rollout;
  const isStuck = ({ leavingSince = now }: Target): boolean =>
    now >= leavingSince + strategy.deadlineSeconds * 1_000;
  const isExcused = (target: Target): boolean =>
    (target.revision === null && target.isDrained === true) ||
    isStuck(target) ||
    isLostBefore(target, rollout) ||
    (strategy.offline === 'Later' && !target.reachable && target.revision !== revision);
  return sites.filter((target) => !isReadyAt(target, revision) && !isExcused(target)).length;
}

/** A stage passes for good reasons only. */
export const gates: Rule = (look) => {
  const { input, stages, plan } = look;
  const before = input.rollout;
  if (plan.rollout.direction === 'Back' || isComplete(before) || before.direction === 'Back') return null;
  const isSettledNow = isComplete(plan.rollout);
  const passed = stages.filter(
    ({ name }) => (isSettledNow || plan.rollout.closed.includes(name)) && !before.closed.includes(name),
  );
  return passed.map((stage) => wronglyPassed(stage, look)).find((breach) => breach !== null) ?? null;
};

function wronglyPassed(stage: StageSites, { input, stages, plan, now }: Look): string | null {
  const before = input.rollout;
  const lacking = lackingOf(stage, input, now);
  if (lacking > stage.maxFailures) return `${stage.name} passed with ${lacking} not Ready`;
  const ready = stage.sites.filter((target) => isReadyAt(target, before.revision));
  if (ready.some(({ since }) => now < since + stage.soakMs)) return `${stage.name} passed unsoaked`;
  const { resettledAt = 0 } = before;
  const isGivenAgain = ({ isStale, writtenAt = 0 }: Target): boolean =>
    isStale === true || writtenAt >= resettledAt;
  if (before.isResettling === true && ready.length === 0 && stage.sites.some(isGivenAgain))
    return `${stage.name} passed without proof`;
  // A settled revision asks only for stages in which it changes something, which rule forward sees to.
  if (plan.rollout.isResettling === true || before.isResettling === true) return null;
  if (stage.needsApproval && !before.approved.includes(stage.name)) return `${stage.name} passed unapproved`;
  const protects = stages.slice(stages.indexOf(stage) + 1).some(({ sites: { length } }) => length > 0);
  return ready.length === 0 && (protects || stage.sites.length > 0)
    ? `${stage.name} passed without proof`
    : null;
}

/** Since when a verdict on the checks of a site counts. */
function roundBegun({ cluster }: Target, { begunAt, retries }: PlanInput['rollout']): number {
  return Math.max(begunAt, retries[cluster] ?? 0, retries['*'] ?? 0);
}

/** A verdict on this revision, of this try. */
function verdictOn(target: Target, rollout: PlanInput['rollout']) {
  const { revision, result } = target.verification ?? { revision: null, result: null };
  const isAbout = revision === rollout.revision && target.revision === revision;
  return isAbout && result !== null && result.at >= roundBegun(target, rollout) ? result : null;
}

/** A stage with checks passes when all have passed, or when a person has seen what is not known. */
export const proven: Rule = ({ input, stages, plan }) => {
  const before = input.rollout;
  const isOther = before.isResettling === true || plan.rollout.isResettling === true;
  if (isOther || isComplete(before) || before.direction === 'Back' || plan.rollout.direction === 'Back')
    return null;
  for (const { name, sites, verify } of stages) {
    const isPassed = isComplete(plan.rollout) || plan.rollout.closed.includes(name);
    if (verify === undefined || before.closed.includes(name) || !isPassed) continue;
    const decidedAt = before.decided?.[name] ?? -Infinity;
    const isProven = (target: Target): boolean => {
      const verdict = verdictOn(target, before);
      if (verdict?.verdict === 'Passed') return true;
      const isUnknown = verdict === null || verdict.verdict === 'Inconclusive';
      return isUnknown && decidedAt > (verdict?.at ?? target.verification?.until ?? Infinity);
    };
    const ready = sites.filter((target) => isReadyAt(target, before.revision));
    const failed = ready.filter((target) => verdictOn(target, before)?.verdict === 'Failed');
    const unproven = ready.find((target) => !failed.includes(target) && !isProven(target));
    if (unproven !== undefined) return `${name} passed, and nobody has proven ${unproven.cluster}`;
    if (failed.length === ready.length && ready.length > 0) return `${name} passed by failures alone`;
  }
  return null;
};
