// What a plan must keep to, whatever happens. Written from what users are promised, not from the planner's
// code.
import type { StageSites } from '../../../workflows/stages/membership.ts';
import { isOpen } from '../../../workflows/stages/windows.ts';
import type { Advance } from '../../../workflows/stages/types.ts';
import { isComplete, type Look, type Rule } from './look.ts';
import { failures, places } from './loss-rules.ts';
import { gates, proven } from './passing-rules.ts';

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

const windows: Rule = ({ input: { strategy, targets, rollout }, plan: { advance, rollout: after }, now }) => {
  if (isOpen(strategy.windows, now) || after.direction === 'Back') return null;
  if (rollout.aborted && !isComplete(rollout)) return null;
  const found = advance.find(
    ({ cluster }) => targets.find((one) => one.cluster === cluster)?.revision !== null,
  );
  return found === undefined ? null : `${found.cluster} is changed outside of the windows`;
};
