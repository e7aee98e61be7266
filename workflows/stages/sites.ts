// How far each site of a stage is on its way to one revision.
import type { StageSites } from './membership.ts';
import { isGivenAgain, proofOf } from './proof.ts';
import type { PlanInput, Target } from './types.ts';
import { earliest } from '../types/clock.ts';

/** The sites of a stage, each in one of these lists. */
export interface StageView {
  readonly stage: StageSites;
  /** Where the sites are to go. */
  readonly goal: string;
  /** Of those that are due with the revision that they have, the ones that have failed with it. */
  readonly failedBefore: readonly Target[];
  /** Reachable, with another revision or none. */
  readonly due: readonly Target[];
  readonly underWay: readonly Target[];
  readonly ready: readonly Target[];
  readonly failed: readonly Target[];
  /** Unreachable, and not by what we wrote. */
  readonly offline: readonly Target[];
  /** Its copy is being deleted and will be written again. It takes no place of another. */
  readonly leaving: readonly Target[];
  /** The same for longer than the deadline: nothing waits for it any more. */
  readonly stuck: readonly Target[];
  /**
   * Nothing waits for it: it has no copy, and nothing new is placed there; or it is no longer selected, and
   * the goal is not why it cannot be reached.
   */
  readonly unawaited: readonly Target[];
}

type SiteList = Exclude<keyof StageView, 'stage' | 'goal' | 'failedBefore'>;

/** `hasTurn`: the stage is open or has passed, so that an unreachable site may count as failed. */
export function viewOf(
  stage: StageSites,
  input: PlanInput,
  { goal, hasTurn, now }: { readonly goal: string; readonly hasTurn: boolean; readonly now: number },
): StageView {
  const lists = emptyLists();
  const failsOffline = hasTurn && input.strategy.offline === 'Fail';
  const { settled, closed } = input.rollout;
  const hadGoal = (target: Target): boolean => goal === settled && !isGivenAgain(target, input.rollout);
  for (const target of stage.sites) {
    const isProven = closed.includes(stage.name) || hadGoal(target);
    const isUntouched = input.rollout.isResettling === true && hadGoal(target);
    const wasReady = target.verdict === 'Ready' || target.isUnseen === true;
    const isExcused = isUntouched || (wasReady && isProven);
    const isOut = isRefuted(target, { stage, goal, rollout: input.rollout, now });
    const list = isOut
      ? 'failed'
      : listOf(target, { goal, isExcused, isOverdue: isOverdue(target, input, now) });
    lists[list === 'offline' ? offlineAs(target, failsOffline) : list].push(target);
  }
  const hasFailed = (target: Target): boolean =>
    target.revision === goal && target.verdict !== 'Ready' && isOverdue(target, input, now);
  return { stage, goal, failedBefore: lists.due.filter(hasFailed), ...lists };
}

function offlineAs({ isUnselected }: Target, failsOffline: boolean): SiteList {
  if (isUnselected === true) return 'unawaited';
  return failsOffline ? 'failed' : 'offline';
}

/** Whatever revision it has. */
function isWrittenAgain({ isStale, isMisdated }: Target): boolean {
  return isStale === true || isMisdated === true;
}

/** Its checks have failed with the goal, whatever is heard of it since: also when it was lost after that. */
function isRefuted(target: Target, asked: Parameters<typeof proofOf>[1]): boolean {
  const isThere = target.revision === asked.goal && !isWrittenAgain(target);
  return isThere && target.leavingSince === undefined && proofOf(target, asked) === 'Failed';
}

function emptyLists(): Record<SiteList, Target[]> {
  const reached = { due: [], underWay: [], ready: [], failed: [] };
  return { ...reached, offline: [], leaving: [], stuck: [], unawaited: [] };
}

interface Standing {
  readonly goal: string;
  /**
   * If it cannot be reached, the goal is not why. It was Ready, and the stage has passed, or every site had
   * the goal before; or it is as it was before the settled revision began to go through the stages once more.
   */
  readonly isExcused: boolean;
  readonly isOverdue: boolean;
}

function listOf(target: Target, { goal, isExcused, isOverdue }: Standing): SiteList {
  const { revision, verdict, reachable } = target;
  if (target.leavingSince !== undefined) {
    if (!reachable) return 'offline';
    return isOverdue ? 'stuck' : 'leaving';
  }
  if (revision === null && target.isDrained === true) return 'unawaited';
  if (revision !== goal) return reachable ? 'due' : 'offline';
  if (isWrittenAgain(target) && reachable) return 'due';
  if (verdict === 'Ready' && reachable) return 'ready';
  if (isExcused && !reachable) return 'offline';
  // It became unreachable after it got the revision, which may be the cause.
  return isOverdue ? 'failed' : 'underWay';
}

/**
 * A person's retry gives a site its deadline once more, also when it has failed before. What the turn that
 * hears it is refused for good has failed again.
 */
function isOverdue(target: Target, input: PlanInput, now: number): boolean {
  const isFailed = target.verdict === 'Failed' && retriedAt(target, input) <= target.since;
  return isFailed || now >= deadlineOf(target, input);
}

/** Until when it must be Ready, in milliseconds since the epoch. */
export function deadlineOf(target: Target, input: PlanInput): number {
  const { since, verdict, leavingSince, lostSince = 0 } = target;
  const begun = leavingSince ?? (verdict === 'Ready' ? Math.max(since, lostSince) : since);
  return Math.max(begun, retriedAt(target, input)) + input.strategy.deadlineSeconds * 1_000;
}

function retriedAt({ cluster }: Target, { rollout: { retries } }: PlanInput): number {
  return Math.max(retries[cluster] ?? -Infinity, retries['*'] ?? -Infinity);
}

/** When the first of the sites under way has failed, if it is not Ready; null when none is under way. */
export function firstDeadline(views: readonly StageView[], input: PlanInput): number | null {
  const waitedFor = views.flatMap(({ goal, due, underWay, leaving, failedBefore }) => {
    const isLate = (target: Target): boolean =>
      target.revision === goal && target.verdict !== 'Ready' && !failedBefore.includes(target);
    return [...underWay, ...leaving, ...due.filter(isLate)];
  });
  return earliest(waitedFor.map((target) => deadlineOf(target, input)));
}

/** The sites under way that cannot be reached since they got the goal. */
export function lostIn(views: readonly StageView[]): readonly Target[] {
  return views.flatMap(({ underWay }) => underWay.filter(({ reachable }) => !reachable));
}

/** Sites that are no longer selected, and count all the same. */
export function unselectedIn(views: readonly StageView[]): readonly string[] {
  return views.flatMap(({ underWay, failed }) =>
    [...underWay, ...failed].flatMap(({ cluster, isUnselected }) => (isUnselected === true ? [cluster] : [])),
  );
}

/** The same view where those that are no longer selected take no place; the same object if there is none. */
export function withoutLost(view: StageView): StageView {
  const seen = view.underWay.filter(({ isUnselected }) => isUnselected !== true);
  return seen.length === view.underWay.length ? view : { ...view, underWay: seen };
}

/** Whether the stage has something to do, or waits for a site that has. */
export function isBusy({ due, underWay, leaving }: StageView): boolean {
  return due.length > 0 || underWay.length > 0 || leaving.length > 0;
}
