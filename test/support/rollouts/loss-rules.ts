// How many sites of a stage may be without a Ready copy because of a rollout.
import type { Advance, Target } from '../../../workflows/stages/types.ts';
import { isComplete, isLostBefore, isWaitedFor, type Rule } from './look.ts';

/**
 * Never more than `maxConcurrent` of a stage are not Ready because of us. A site that is not Ready with a
 * revision that has no future may get another one: that makes no further site lose its copy.
 */
export const places: Rule = ({ input, stages, plan: { advance, rollout }, now }) => {
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

/** Where more have failed than may, no further site gets the revision. */
export const failures: Rule = ({ input, stages, plan: { advance, rollout: after }, now }) => {
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
