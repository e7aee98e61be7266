// What is known of the checks of a stage on one of its sites: of exactly this revision, these checks, and
// this try of them. What is absent, late, or about anything else proves nothing.
import type { StageSites } from './membership.ts';
import type { Rollout, Target, VerifyAsk } from './types.ts';

export type Proof = 'Needless' | 'Unasked' | 'Pending' | 'Passed' | 'Failed' | 'Inconclusive';

interface Asked {
  readonly stage: StageSites;
  readonly goal: string;
  readonly rollout: Rollout;
  readonly now: number;
}

export function proofOf(target: Target, asked: Asked): Proof {
  const { stage, rollout, now } = asked;
  if (stage.verify === undefined || target.isDisabled === true || isUntouched(target, rollout))
    return 'Needless';
  const given = target.verification;
  if (given === undefined || !isSame(given, askFor(target, asked))) return 'Unasked';
  const { verdict, at } = given.result ?? { verdict: null, at: 0 };
  if (verdict === null) return now < given.until ? 'Pending' : excusedOr('Inconclusive', asked, given.until);
  return verdict === 'Inconclusive' ? excusedOr(verdict, asked, at) : verdict;
}

/** A person has looked at it since, and lets the stage pass. */
function excusedOr(proof: 'Inconclusive', { stage, rollout }: Asked, at: number): Proof {
  return (rollout.decided?.[stage.name] ?? -Infinity) > at ? 'Passed' : proof;
}

/** It may have the content of a settled revision that goes through the stages once more. */
export function isGivenAgain(
  { since, writtenAt = since }: Target,
  { isResettling, resettledAt }: Rollout,
): boolean {
  return isResettling === true && resettledAt !== undefined && writtenAt >= resettledAt;
}

/** The settled revision goes through the stages once more, and has changed nothing there. */
function isUntouched(target: Target, rollout: Rollout): boolean {
  return rollout.isResettling === true && !isGivenAgain(target, rollout);
}

function isSame(given: NonNullable<Target['verification']>, wanted: VerifyAsk): boolean {
  return given.revision === wanted.revision && given.round === wanted.round && given.checks === wanted.checks;
}

/** What is to be asked of the copy there now. A retry, and a rollout that begins again, is another round. */
export function askFor(target: Target, { stage, goal, rollout }: Omit<Asked, 'now'>): VerifyAsk {
  const { retries, begunAt, resettledAt, isResettling } = rollout;
  const again = Math.max(retries[target.cluster] ?? 0, retries['*'] ?? 0);
  const begun = isResettling === true ? (resettledAt ?? begunAt) : begunAt;
  return {
    cluster: target.cluster,
    revision: goal,
    round: `${begun}/${again}`,
    checks: checksIn(stage),
  };
}

/** A list may have half a megabyte, and is asked of each site: it is written once. */
const WRITTEN = new WeakMap<object, string>();

function checksIn({ verify }: StageSites): string {
  if (verify === undefined) return '[]';
  const text = WRITTEN.get(verify) ?? JSON.stringify(verify);
  WRITTEN.set(verify, text);
  return text;
}
