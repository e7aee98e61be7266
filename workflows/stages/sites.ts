// How far each site of a stage is on its way to one revision.
import type { StageSites } from './membership.ts';
import type { PlanInput, Target } from './types.ts';

/** The sites of a stage, each in one of these lists. */
export interface StageView {
  readonly stage: StageSites;
  /** Where the sites are to go. */
  readonly goal: string;
  /** Reachable, with another revision or none. */
  readonly due: readonly Target[];
  readonly underWay: readonly Target[];
  readonly ready: readonly Target[];
  readonly failed: readonly Target[];
  /** Unreachable, and not by what we wrote. */
  readonly offline: readonly Target[];
}

type SiteList = Exclude<keyof StageView, 'stage' | 'goal'>;

/** `hasTurn`: the stage is open or has passed, so that an unreachable site may count as failed. */
export function viewOf(
  stage: StageSites,
  input: PlanInput,
  { goal, hasTurn, now }: { readonly goal: string; readonly hasTurn: boolean; readonly now: number },
): StageView {
  const lists: Record<SiteList, Target[]> = { due: [], underWay: [], ready: [], failed: [], offline: [] };
  const failsOffline = hasTurn && input.strategy.offline === 'Fail';
  for (const target of stage.sites) {
    const list = listOf(target, { goal, isOverdue: isOverdue(target, input, now) });
    lists[list === 'offline' && failsOffline ? 'failed' : list].push(target);
  }
  return { stage, goal, ...lists };
}

function listOf(
  { revision, verdict, reachable }: Target,
  { goal, isOverdue }: { readonly goal: string; readonly isOverdue: boolean },
): SiteList {
  if (revision !== goal) return reachable ? 'due' : 'offline';
  if (verdict === 'Ready') return reachable ? 'ready' : 'offline';
  // It became unreachable after it got the revision, which may be the cause.
  return isOverdue ? 'failed' : 'underWay';
}

/** A person's retry gives a site its deadline once more, also when it has failed before. */
function isOverdue(target: Target, input: PlanInput, now: number): boolean {
  const isFailed = target.verdict === 'Failed' && retriedAt(target, input) < target.since;
  return isFailed || now >= deadlineOf(target, input);
}

/** Until when it must be Ready, in milliseconds since the epoch. */
export function deadlineOf(target: Target, input: PlanInput): number {
  return Math.max(target.since, retriedAt(target, input)) + input.strategy.deadlineSeconds * 1_000;
}

function retriedAt({ cluster }: Target, { rollout: { retries } }: PlanInput): number {
  return Math.max(retries[cluster] ?? -Infinity, retries['*'] ?? -Infinity);
}

/** When the first of the sites under way has failed, if it is not Ready; null when none is under way. */
export function firstDeadline(views: readonly StageView[], input: PlanInput): number | null {
  return earliest(views.flatMap(({ underWay }) => underWay.map((target) => deadlineOf(target, input))));
}

export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((one, other) => Math.min(one, other));
}
