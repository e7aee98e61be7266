// What is so on each site of a Bundle, from its work and from what this turn did. Pure.
import { LONGEST_MESSAGE, type BundleReason, type FailingResource } from '../../../../crds/bundle/status.ts';
import { textOf } from '../../../../workflows/parse/fields.ts';
import type { RolloutRefusal, Shipped } from '../../rollout/kind.ts';
import { lostMessage } from '../../rollout/lost.ts';
import { verdictOn } from '../../rollout/refusals.ts';
import type { BundleMember } from '../members.ts';
import type { BundleProblem } from './problems.ts';
import type { BundleSite } from '../sites.ts';

/**
 * `Waiting`: its turn in the rollout has not come. `Offline`: it cannot be reached, so nothing is known of
 * it.
 */
export interface BundleVerdict {
  readonly cluster: string;
  readonly state: 'Ready' | 'Progressing' | 'Failed' | 'Waiting' | 'Offline';
  readonly reason: BundleReason;
  readonly problems: readonly FailingResource[];
  /** As whom the work is applied, `namespace/name`, if that may not do something. */
  readonly executor?: string;
}

/** What is so on a site where the Bundle may not go. */
export function barredVerdict({ cluster, refusal }: BundleSite): BundleVerdict {
  return ofSite(cluster, 'Failed', refusal ?? { reason: 'UnknownSite', message: '' });
}

/** What is so on a site that counts only because it was lost with the revision. */
export function lostVerdict({ site: { cluster } }: BundleMember): BundleVerdict {
  return ofSite(cluster, 'Offline', { reason: 'SiteUnreachable', message: lostMessage(cluster) });
}

/** `goal` is the revision to which sites go now. */
export function verdictOf(member: BundleMember, goal: string, shipped: Shipped | undefined): BundleVerdict {
  const { site, work, target } = member;
  const { cluster, isReachable } = site;
  if (shipped?.is === 'refused') return ofSite(cluster, 'Failed', shipped.refusal);
  if (shipped?.is === 'waits' && shipped.refusal !== null)
    return ofSite(cluster, 'Progressing', shipped.refusal);
  const unwritten = unwrittenOf(member);
  if (unwritten !== null) {
    const { reason, message } = unwritten;
    return ofSite(cluster, verdictOn(unwritten), { reason, message });
  }
  if (!isReachable)
    return ofSite(cluster, 'Offline', {
      reason: 'SiteUnreachable',
      message: `${cluster} cannot be reached, so what runs there is not known. It gets this revision when it is back.`,
    });
  if (shipped !== undefined && shipped.is !== 'waits')
    return ofSite(cluster, 'Progressing', {
      reason: 'Shipping',
      message: 'The ManifestWork of this revision has just been written, or is next.',
    });
  if (work === undefined || target.revision !== goal)
    return { cluster, state: 'Waiting', reason: 'SitesUnderWay', problems: [] };
  const { state, executor } = work.seen;
  const problems = [...work.seen.problems, ...checkProblemOf(target)];
  const reason = work.seen.problems[0]?.reason ?? 'Ready';
  const named = executor === undefined ? {} : { executor };
  return { cluster, state, reason, problems: problems.map((one) => resourceOf(cluster, one)), ...named };
}

/** Why its work could not be written, or the Jobs of its checks. */
function unwrittenOf({ refused, unordered }: BundleMember): BundleMember['refused'] {
  return refused ?? unordered ?? null;
}

/** It keeps no site from being Ready: gates read it. */
function checkProblemOf({ verification, revision }: BundleMember['target']): BundleProblem[] {
  const { result = null, revision: checked } = verification ?? {};
  if (result?.verdict !== 'Failed' || checked !== revision) return [];
  const message = textOf(result.says, LONGEST_MESSAGE);
  return [{ kind: '', name: '', condition: 'Verified', reason: 'ChecksFailed', message }];
}

function ofSite(cluster: string, state: BundleVerdict['state'], refusal: RolloutRefusal): BundleVerdict {
  const { message } = refusal;
  const reason = refusal.reason as BundleReason;
  const condition = state === 'Failed' ? 'Applied' : 'Ready';
  return {
    cluster,
    state,
    reason,
    problems: [{ cluster, kind: '', name: '', condition, reason, message }],
  };
}

function resourceOf(
  cluster: string,
  { kind, name, namespace, condition, reason, message }: BundleProblem,
): FailingResource {
  return {
    cluster,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    condition,
    reason,
    message,
  };
}
