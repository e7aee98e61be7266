// What a plan must keep to, whatever happens. Written from what users are promised, not from the planner's
// code.
import type { StageSites } from '../../../workflows/stages/membership.ts';
import { isOpen } from '../../../workflows/stages/windows.ts';
import type { Advance, Plan, PlanInput, Target } from '../../../workflows/stages/types.ts';

export interface Look {
  readonly input: PlanInput;
  readonly stages: readonly StageSites[];
  readonly plan: Plan;
  readonly now: number;
}

/** Null, or the first rule that the plan breaks. */
export function breachOf(given: Look): string | null {
  const look = afterTheWayBack(given);
  for (const rule of [sound, said, people, places, gates, proven, forward, failures, windows]) {
    const breach = rule(look);
    if (breach !== null) return `${rule.name}: ${breach}`;
  }
  return null;
}

/**
 * Once every site has the settled revision again, what no longer fits goes through the stages at once: that
 * look is judged as the first of it, and nothing has passed or was approved before.
 */
function afterTheWayBack(look: Look): Look {
  const { input, plan } = look;
  const isAgain = input.rollout.direction === 'Back' && plan.rollout.isResettling === true;
  const rollout = { ...plan.rollout, closed: [], approved: [] };
  return isAgain ? { ...look, input: { ...input, rollout } } : look;
}

type Rule = (look: Look) => string | null;

const isComplete = ({ revision, settled, direction, isResettling }: PlanInput['rollout']): boolean =>
  direction === 'Forward' && revision === settled && isResettling !== true;

const isReadyAt = ({ revision, verdict, reachable, isStale }: Target, goal: string): boolean =>
  reachable && revision === goal && verdict === 'Ready' && isStale !== true;

const sound: Rule = ({ input: { targets }, plan: { advance } }) => {
  const seen = new Set<string>();
  for (const { cluster, revision } of advance) {
    const target = targets.find((one) => one.cluster === cluster);
    if (target === undefined) return `${cluster} is no site`;
    if (!target.reachable) return `${cluster} cannot be reached and gets ${revision}`;
    if (target.revision === revision && target.isStale !== true) return `${cluster} gets ${revision} again`;
    if (target.leavingSince !== undefined)
      return `${cluster} gets ${revision} while its copy is being deleted`;
    if (seen.has(cluster)) return `${cluster} gets two revisions`;
    seen.add(cluster);
  }
  return null;
};

const said: Rule = ({ plan: { advance, hold, done, wakeAt, rollout }, now }) => {
  if (done !== (hold === null)) return 'a hold has no reason, or a plan that is done has one';
  if (done && advance.length > 0) return 'it is done and changes sites';
  if (hold !== null && hold.message.length < 20) return `hold ${hold.reason} says nothing`;
  if ((hold?.until ?? now + 1) <= now || (wakeAt ?? now + 1) <= now) return 'it wakes in the past';
  return JSON.stringify(rollout).length > 10_240 ? 'the rollout is too large' : null;
};

/** Pause and abort mean what they say. */
const people: Rule = ({ input: { rollout, targets }, plan: { advance } }) => {
  if (rollout.paused && advance.length > 0) return 'a paused rollout changes sites';
  if (!rollout.aborted || isComplete(rollout)) return null;
  const stays = new Set([rollout.revision, ...rollout.halfway]);
  for (const { cluster, revision } of advance) {
    if (revision === rollout.revision && revision !== rollout.settled)
      return `${cluster} gets an aborted revision`;
    const before = targets.find((one) => one.cluster === cluster)?.revision ?? null;
    if (before !== null && before !== rollout.settled && stays.has(before))
      return `${cluster} is changed by an aborted rollout`;
  }
  return null;
};

/**
 * Never more than `maxConcurrent` of a stage are not Ready because of us. A site that is not Ready with a
 * revision that has no future may get another one: that makes no further site lose its copy.
 */
const places: Rule = ({ input, stages, plan: { advance, rollout }, now }) => {
  const after = { ...input, rollout };
  const goals = new Map(advance.map(({ cluster, revision }) => [cluster, revision]));
  const lost = new Set([...rollout.halfway, ...(rollout.direction === 'Back' ? [rollout.revision] : [])]);
  for (const { name, sites, maxConcurrent } of stages) {
    const changed = sites.filter(({ cluster }) => goals.has(cluster));
    const goal = goals.get(changed[0]?.cluster ?? '');
    if (goal === undefined) continue;
    // On the way back nothing that has the settled revision is written anew.
    const isDue = ({ isStale, reachable, revision }: Target): boolean =>
      isStale === true && reachable && revision === goal && rollout.direction === 'Forward';
    const isChanged = ({ cluster }: Target): boolean => goals.has(cluster);
    const going = sites.filter(
      (target) =>
        target.revision === goal &&
        !isDue(target) &&
        !isChanged(target) &&
        !(goal === rollout.settled && isLostBefore(target, rollout)) &&
        isWaitedFor(target, after, now),
    );
    if (going.length + changed.length > maxConcurrent)
      return `${name} has ${going.length} under way and changes ${changed.length}, with maxConcurrent ${maxConcurrent}`;
    const isBroken = (target: Target): boolean =>
      target.reachable &&
      target.verdict !== 'Ready' &&
      (isDue(target) || (target.revision !== goal && lost.has(target.revision ?? '')));
    const broken = sites.filter(isBroken).length;
    const whole = changed.filter((target) => !isBroken(target)).length;
    const isJoining = changed.every(({ revision }) => revision === null);
    if (!isJoining && whole > 0 && going.length + broken + whole > maxConcurrent)
      return `${name} has ${going.length} under way and ${broken} broken, and changes ${whole} that work`;
  }
  return null;
};

/** Not Ready yet, not failed, and not offline since before its turn. */
function isWaitedFor(target: Target, { strategy, rollout }: PlanInput, now: number): boolean {
  if (target.verdict === 'Ready') return false;
  const retried = Math.max(rollout.retries[target.cluster] ?? 0, rollout.retries['*'] ?? 0);
  const isFailed = target.verdict === 'Failed' && retried < target.since;
  return !isFailed && now < Math.max(target.since, retried) + strategy.deadlineSeconds * 1_000;
}

/** Every site had a settled revision: it is not why one is lost that did not get it anew. */
function isLostBefore(
  { reachable, writtenAt = 0 }: Target,
  { isResettling = false, resettledAt = 0 }: PlanInput['rollout'],
): boolean {
  return isResettling && !reachable && writtenAt < resettledAt;
}

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
const gates: Rule = (look) => {
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
const proven: Rule = ({ input, stages, plan }) => {
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

/** Sites with something running get the newest revision, in stages that passed or in the one that is open. */
const forward: Rule = ({ input: { rollout, targets }, stages, plan: { advance, rollout: after } }) => {
  const running = advance.filter(
    ({ cluster }) => targets.find((one) => one.cluster === cluster)?.revision !== null,
  );
  if (after.direction === 'Back') return onlyTo(advance, after.settled);
  if (rollout.aborted && !isComplete(rollout)) return onlyTo(advance, after.settled);
  if (isComplete(rollout)) return onlyTo(advance, rollout.revision);
  const other = running.find(({ revision }) => revision !== rollout.revision);
  if (other !== undefined) return `${other.cluster} gets ${other.revision}`;
  // A settled revision that is written once more asks nothing of a stage in which nothing is.
  const isEmpty = ({ sites }: StageSites): boolean => after.isResettling === true && sites.length === 0;
  const passed = (stage: StageSites): boolean =>
    isComplete(after) || after.closed.includes(stage.name) || isEmpty(stage);
  for (const [index, stage] of stages.entries()) {
    const isReached = stages.slice(0, index).every(passed) || passed(stage);
    const isApproved = !stage.needsApproval || rollout.approved.includes(stage.name);
    const found = running.find(({ cluster }) => stage.sites.some((one) => one.cluster === cluster));
    if (found !== undefined && !(isReached && isApproved))
      return `${found.cluster} of ${stage.name} goes past a closed gate`;
  }
  return null;
};

function onlyTo(advance: readonly Advance[], goal: string | null): string | null {
  const other = advance.find(({ revision }) => revision !== goal);
  return other === undefined ? null : `${other.cluster} gets ${other.revision} and not ${goal}`;
}

/** Where more have failed than may, no further site gets the revision. */
const failures: Rule = ({ input, stages, plan: { advance, rollout: after }, now }) => {
  const { rollout } = input;
  if (isComplete(rollout) || after.direction === 'Back' || rollout.aborted) return null;
  for (const { name, sites, maxFailures } of stages) {
    const failed = sites.filter(
      (target) =>
        target.revision === rollout.revision &&
        target.verdict !== 'Ready' &&
        !isLostBefore(target, rollout) &&
        !isWaitedFor(target, input, now),
    );
    // A site without a copy gets the settled revision, whatever becomes of the others.
    const isJoining = ({ cluster }: Advance): boolean =>
      rollout.revision === rollout.settled &&
      input.targets.some((one) => one.cluster === cluster && one.revision === null);
    const found = advance.find((one) => one.revision === rollout.revision && !isJoining(one));
    if (failed.length > maxFailures && found !== undefined)
      return `${found.cluster} gets the revision, although ${failed.length} of ${name} failed`;
  }
  return null;
};

const windows: Rule = ({ input: { strategy, targets, rollout }, plan: { advance, rollout: after }, now }) => {
  if (isOpen(strategy.windows, now) || after.direction === 'Back') return null;
  if (rollout.aborted && !isComplete(rollout)) return null;
  const found = advance.find(
    ({ cluster }) => targets.find((one) => one.cluster === cluster)?.revision !== null,
  );
  return found === undefined ? null : `${found.cluster} is changed outside of the windows`;
};
