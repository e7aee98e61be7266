// What a look at an object on many sites finds: its sites and copies, what the planner says to them, and
// which copies may go. Pure, but for what its sight reads from caches.
import type { Strategy } from '../../../crds/rollout/stages.ts';
import type { ObjectMeta } from '../../../kube/resource.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import { rested } from '../../../workflows/stages/gates.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import type { StagePlan, Rollout, Target } from '../../../workflows/stages/types.ts';
import type { Decision } from './decision.ts';
import { standingAt } from './refusals.ts';
import {
  notNow,
  release,
  whilePaused,
  type LeavingCopies,
  type ReleasedCopies,
} from './removing/removals.ts';
import { isNowhere, lostAmong, oneAtATime, type CopiesSeen } from './lost.ts';
import type { HeardRequests } from './requests.ts';
import { namesIn } from './memory.ts';
import { copiesAmong, unorderedAmong, type Unordered } from './unordered.ts';

/** A selected site that may have a copy, with its copy. */
export interface RolloutMember {
  readonly site: { readonly cluster: string };
  readonly target: Target;
  /**
   * When what is known of the copy counts as something else, in milliseconds since the epoch; null if it
   * does not.
   */
  readonly settlesAt: number | null;
  /** Why it could not be asked for its checks, as long as that counts; absent if it could. */
  readonly unordered?: RefusedCopy;
}

/** What a copy is judged by. */
export interface Judging {
  /** Where the rollout leads. */
  readonly revision: string;
  /** Others that copies may have, as the rollout names them. */
  readonly others?: readonly string[];
  /** Why copies could not be written, as long as that counts. */
  readonly refused: Readonly<Record<string, RefusedCopy>>;
  /** Copies that could not be asked for checks, as long as that counts; absent if all could. */
  readonly unordered?: Readonly<Record<string, Unordered>>;
  readonly now: number;
}

/** How one object and its copies are seen. `C`: a copy; `M`: a site with its copy; `B`: a barred site. */
export interface Sight<C, M extends RolloutMember, B> extends CopiesSeen<C, M, Judging> {
  readonly object: { readonly metadata: Pick<ObjectMeta, 'uid'> };
  readonly strategy: Strategy;
  /** It is being deleted. */
  isGoing(copy: C): boolean;
  /** Copies on sites that are not selected stay there. */
  readonly keepsUnselected: boolean;
  /** What is to be shipped is not known, so no site is changed and no stage passes. */
  readonly isStandingStill?: boolean;
  isReady(copy: C): boolean;
  /** It is to run nothing, so nobody is served by it; without it, each is to run. */
  isDisabled?(copy: C): boolean;
  /** Its site can be reached: what was said of a copy elsewhere may have been long ago. */
  isReachable(copy: C): boolean;
  /** When it can be deleted at the earliest, in milliseconds since the epoch. */
  removableAt(copy: C): number;
  /** Its site has to be told, or to answer, before it may go; without it, none has. */
  isAwaited?(copy: C): boolean;
  /** Copies that are for none of these sites. */
  besides(clusters: readonly string[]): readonly C[];
  select(clusters: readonly string[]): RolloutSelection<M, B>;
}

export interface RolloutSelection<M extends RolloutMember, B> {
  /** Sites where the object may not go. */
  readonly barred: readonly B[];
  members(judging: Judging): readonly M[];
}

export interface Look<C, M extends RolloutMember, B> {
  readonly undecided: Decision['undecided'];
  /** Sites that are selected, and where the object may not go. */
  readonly barred: readonly B[];
  readonly members: readonly M[];
  /** Others, which are given nothing, and count because they were lost with the revision (`lost.ts`). */
  readonly lost: readonly M[];
  readonly plan: StagePlan;
  readonly released: ReleasedCopies;
  /** Copies on sites that are no longer selected. */
  readonly left: readonly C[];
  /** How many of them stay there, as the object asks for. */
  readonly kept: number;
  readonly memory: HeardRequests['memory'];
}

/** At most `most` copies are released. Without a decision the sites count on which the copies are. */
export function lookAt<C, M extends RolloutMember, B>(
  sight: Sight<C, M, B>,
  memory: HeardRequests['memory'],
  most: number,
  now: number,
): Look<C, M, B> {
  const { decision, copies, keepsUnselected } = sight;
  const { undecided } = decision;
  const standing = copies.filter((copy) => !sight.isGoing(copy));
  const clusters = undecided === null ? decision.clusters : standing.map((copy) => sight.siteOf(copy));
  const selection = sight.select(clusters);
  const planned = planFor(sight, selection, memory, now);
  const left = undecided === null ? sight.besides(clusters) : [];
  const released =
    undecided === null ? releasedOf(sight, { left, ...planned, memory }, most, now) : notNow(memory);
  const { leaving, removal } = released;
  return {
    undecided,
    barred: selection.barred,
    ...planned,
    released,
    left,
    kept: keepsUnselected ? left.filter((copy) => !sight.isGoing(copy)).length : 0,
    memory: { ...memory, rollout: planned.plan.rollout, leaving, removal },
  };
}

/** The same look, when copies could not be written. */
export function withRefused<C, M extends RolloutMember, B>(
  sight: Sight<C, M, B>,
  look: Look<C, M, B>,
  refused: Readonly<Record<string, RefusedCopy>>,
  now: number,
): Look<C, M, B> {
  const memory = { ...look.memory, refused };
  const clusters = look.members.map(({ site }) => site.cluster);
  const planned = planFor(sight, sight.select(clusters), memory, now);
  return { ...look, ...planned, memory: { ...memory, rollout: planned.plan.rollout } };
}

function planFor<C, M extends RolloutMember, B>(
  sight: Sight<C, M, B>,
  { members: membersBy }: RolloutSelection<M, B>,
  { rollout, refused }: HeardRequests['memory'],
  now: number,
): Pick<Look<C, M, B>, 'members' | 'lost' | 'plan'> {
  const { decision, strategy, object, isStandingStill = false } = sight;
  const standing = standingAt(refused, strategy.deadlineSeconds, now);
  const judging = {
    revision: rollout.revision,
    others: namesIn(rollout),
    refused: copiesAmong(standing),
    unordered: unorderedAmong(standing, strategy, now),
    now,
  };
  const members = membersBy(judging);
  const clusters = members.map(({ site }) => site.cluster);
  const away = lostAmong(sight, clusters, rollout, judging);
  const lost = isNowhere(members, rollout) ? [] : away;
  const targets = [...members, ...lost].map(({ target }) => target);
  const next = plan({ targets, strategy, rollout, seed: object.metadata.uid ?? '' }, now);
  const wanted = lost.length < away.length ? oneAtATime(next, away) : next;
  const isHeld = isStandingStill || decision.undecided !== null;
  const held = isHeld ? onHold(wanted, rollout) : { ...wanted, rollout: rested(wanted.rollout, targets) };
  return { members, lost, plan: isStandingStill ? withoutChecks(held) : held };
}

/**
 * While nobody knows which sites are selected, they may be others than those that are known: these prove no
 * stage, and are not changed.
 */
function onHold(plan: StagePlan, rollout: Rollout): StagePlan {
  return { ...plan, advance: [], rollout, done: plan.done && plan.rollout === rollout };
}

/** Of what cannot be shipped none is ordered. */
function withoutChecks({ verify: _verify, ...plan }: StagePlan): StagePlan {
  return plan;
}

function releasedOf<C, M extends RolloutMember, B>(
  sight: Sight<C, M, B>,
  {
    left,
    members,
    memory,
    plan: { advance, lost = [] },
  }: Pick<Look<C, M, B>, 'left' | 'members' | 'memory' | 'plan'>,
  most: number,
  now: number,
): ReleasedCopies {
  const { clusters, number, placement, isNamed } = sight.decision;
  const going = sight.keepsUnselected ? [] : left.filter((copy) => !sight.isGoing(copy));
  const removableAt = Math.max(0, ...going.map((copy) => sight.removableAt(copy)));
  const sitesOf = (some: readonly C[]): string[] => some.map((copy) => sight.siteOf(copy)).toSorted();
  const leaving: LeavingCopies = {
    clusters: sitesOf(going),
    ready: sitesOf(readyAmong(sight, going)),
    awaited: sitesOf(going.filter((copy) => sight.isAwaited?.(copy) === true)),
    lost,
    staying: sight.copies.length - left.length,
    stayingReady: replacementsIn(members).filter((target) => isReadyStill(target, advance)).length,
    number,
    placement,
    selected: clusters.length,
    isNamed,
    patienceMs: sight.strategy.deadlineSeconds * 1_000,
  };
  if (memory.rollout.paused) return whilePaused(leaving, memory);
  // None of what comes in place of those that go gets anything now, and one after the other would go.
  const isShortOfCopies = members.some(({ target }) => target.revision === null);
  if (sight.isStandingStill === true && !isNamed && isShortOfCopies) return notNow(memory);
  // Each that is released is counted, so none is released that cannot be deleted yet.
  if (!isNamed && removableAt > now) return { ...notNow(memory), wakeAt: removableAt };
  return release(leaving, memory, most, now);
}

/** Those on sites that cannot be reached only where no other is. */
function readyAmong<C, M extends RolloutMember, B>(sight: Sight<C, M, B>, going: readonly C[]): readonly C[] {
  const ready = going.filter((copy) => sight.isReady(copy) && sight.isDisabled?.(copy) !== true);
  const seen = ready.filter((copy) => sight.isReachable(copy));
  return seen.length > 0 ? seen : ready;
}

/** A copy that runs nothing takes the place of one that does only where no site is to run the app. */
function replacementsIn(members: readonly RolloutMember[]): readonly Target[] {
  const targets = members.map(({ target }) => target);
  const isToRun = targets.some(({ isToBeDisabled }) => isToBeDisabled !== true);
  return isToRun ? targets.filter(({ isDisabled }) => isDisabled !== true) : targets;
}

/** What it gets in this very turn is not known to become Ready. */
function isReadyStill({ cluster, reachable, verdict }: Target, advance: StagePlan['advance']): boolean {
  return reachable && verdict === 'Ready' && !advance.some((one) => one.cluster === cluster);
}
