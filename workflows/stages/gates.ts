// Which stages have passed, and what keeps the first that has not.
import { askFor, isGivenAgain, proofOf } from './proof.ts';
import type { StageSites } from './membership.ts';
import { isBusy, type StageView } from './sites.ts';
import type { PlanInput, Rollout, Target, VerifyAsk } from './types.ts';

/** What a stage waits for. `until` is in milliseconds since the epoch. */
export type Gate =
  | { readonly is: 'Passed' }
  | { readonly is: 'AwaitsApproval' | 'Working' | 'SitesOffline' | 'Unproven' | 'Unchecked' }
  | { readonly is: 'Soaking'; readonly until: number }
  | {
      readonly is: 'Verifying';
      readonly until: number | null;
      readonly sites: readonly Target[];
      /** Those that have not been asked. */
      readonly asks: readonly VerifyAsk[];
    }
  | { readonly is: 'VerificationInconclusive'; readonly sites: readonly Target[] };

interface GateInput {
  readonly input: PlanInput;
  /** The stages behind it: it protects their sites. */
  readonly behind: readonly StageSites[];
  readonly now: number;
}

/**
 * Only a copy that is Ready at exactly this revision counts; what nobody has seen Ready is not settled
 * either. Failures are bounded elsewhere.
 */
export function gateOf(view: StageView, { input, behind, now }: GateInput): Gate {
  const { stage, ready, offline } = view;
  const { strategy, rollout } = input;
  // A settled revision that is written once more is proven, and asks only where it changes something.
  const isProven = rollout.isResettling === true;
  const isAsked = stage.needsApproval && (!isProven || view.due.some(isChanged(view.goal)));
  if (isAsked && !rollout.approved.includes(stage.name)) return { is: 'AwaitsApproval' };
  if (isBusy(view)) return { is: 'Working' };
  if (strategy.offline === 'Wait' && offline.length > 0) return { is: 'SitesOffline' };
  if (ready.length === 0) {
    const protects = behind.some(({ sites }) => sites.length > 0);
    const isMeant = isProven ? stage.sites.some(isConcerned(rollout)) : protects || stage.sites.length > 0;
    return { is: isMeant ? 'Unproven' : 'Passed' };
  }
  if (isUnchecked(view, behind, rollout)) return { is: 'Unchecked' };
  const checks = checksOf(view, rollout, now);
  if (checks !== null) return checks;
  const until = Math.max(...ready.map(({ since }) => since)) + stage.soakMs;
  return now < until ? { is: 'Soaking', until } : { is: 'Passed' };
}

/**
 * No app was there that the checks could have asked, and sites behind it are still to be given one that runs.
 * Where there is none, nothing is at stake.
 */
function isUnchecked(view: StageView, behind: readonly StageSites[], rollout: Rollout): boolean {
  const { stage, goal, ready } = view;
  if (stage.verify === undefined || !ready.every(({ isDisabled }) => isDisabled === true)) return false;
  if (rollout.isResettling === true && !ready.some(isConcerned(rollout))) return false;
  const runs = ({ isToBeDisabled, isUnselected }: Target): boolean =>
    isToBeDisabled !== true && isUnselected !== true;
  return behind.some(({ sites }) => sites.some((target) => runs(target) && isAtStake(target, goal, rollout)));
}

/** What has the revision already, as it is to be, gets nothing; nor does a drained site without a copy. */
function isAtStake(target: Target, goal: string, rollout: Rollout): boolean {
  const { revision, isStale, isDrained } = target;
  if (rollout.isResettling === true) return isConcerned(rollout)(target);
  return revision === null ? isDrained !== true : revision !== goal || isStale === true;
}

/** All sites of the stage are Ready. Null when the checks of all of them have passed, or there are none. */
function checksOf({ stage, goal, ready }: StageView, rollout: Rollout, now: number): Gate | null {
  const asked = { stage, goal, rollout, now };
  const of = (...proofs: readonly string[]): readonly Target[] =>
    ready.filter((target) => proofs.includes(proofOf(target, asked)));
  const sites = of('Unasked', 'Pending');
  if (sites.length > 0) {
    const times = of('Pending').map(({ verification }) => verification?.until ?? now);
    const until = times.length === 0 ? null : Math.min(...times);
    return { is: 'Verifying', until, sites, asks: of('Unasked').map((target) => askFor(target, asked)) };
  }
  const unknown = of('Inconclusive');
  return unknown.length === 0 ? null : { is: 'VerificationInconclusive', sites: unknown };
}

/** Whether writing it again changes something on its site: not where only its time is wrong. */
function isChanged(goal: string): (target: Target) => boolean {
  return ({ revision, isStale, isMisdated }) => revision !== goal || isStale === true || isMisdated !== true;
}

/** Whether a settled revision that is written once more changes the copy on a site, or has changed it. */
function isConcerned(rollout: Rollout): (target: Target) => boolean {
  return (target) => target.isStale === true || isGivenAgain(target, rollout);
}

/** Every site had the revision that can be reached: it is the one to go back to. */
export function settle(rollout: Rollout): Rollout {
  const { isResettling: _once, resettledAt: _when, decided: _decided, ...lasting } = rollout;
  const { revision, settled, before, closed, retries } = lasting;
  if (isSettled(rollout) && closed.length === 0 && Object.keys(retries).length === 0) return rollout;
  return {
    ...lasting,
    settled: revision,
    before: settled === revision ? before : settled,
    direction: 'Forward',
    halfway: [],
    approved: [],
    closed: [],
    retries: {},
    cause: null,
  };
}

export function isSettled({ revision, settled, direction, isResettling }: Rollout): boolean {
  return direction === 'Forward' && revision === settled && isResettling !== true;
}

const ONCE_MORE = { isResettling: true, approved: [], closed: [], retries: {} } as const;

/**
 * Copies of the settled revision whose content no longer fits their sites are running: they are changed stage
 * by stage, as by a new revision. An abort that nobody has found at rest (`rested`) may be of just this.
 */
export function resettled(rollout: Rollout, targets: readonly Target[], now: number): Rollout {
  const isMeant =
    isSettled(rollout) && targets.some(({ isStale, reachable }) => isStale === true && reachable);
  return isMeant ? { ...rollout, ...ONCE_MORE, resettledAt: now } : rollout;
}

/**
 * An abort that finds all at rest is over: it keeps no label that changes later from the sites. Only to be
 * asked while it is known which sites are selected and what is shipped to them.
 */
export function rested(rollout: Rollout, targets: readonly Target[]): Rollout {
  const isAtRest = isSettled(rollout) && !targets.some(({ isStale }) => isStale === true);
  return rollout.aborted && isAtRest ? { ...rollout, aborted: false } : rollout;
}

/**
 * The way back to the settled revision has ended: what was once more on its way through the stages when
 * another revision was begun goes on, with what it has written already. Null if there is nothing of it.
 */
export function resumed(
  { resettledAt }: Rollout,
  back: Rollout,
  { targets, now }: { readonly targets: readonly Target[]; readonly now: number },
): Rollout | null {
  if (resettledAt !== undefined) return { ...back, ...ONCE_MORE, resettledAt };
  const begun = resettled(back, targets, now);
  return begun === back ? null : begun;
}

/** More sites have failed than may. A changed label makes no failure undone. */
export function isTooBad({ stage, failed, failedBefore }: StageView): boolean {
  return failed.length + failedBefore.length > stage.maxFailures;
}
