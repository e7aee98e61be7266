// Copies with the revision that is on its way, on sites that are no longer selected, and of which nothing can
// be heard: the revision may be why. OCM takes a lost site out of a Placement that does not tolerate that,
// and nothing is proven by it. Pure, but for the caches.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { isSettled } from '../../../workflows/stages/gates.ts';
import { isGivenAgain } from '../../../workflows/stages/proof.ts';
import type { Rollout, StagePlan, Target } from '../../../workflows/stages/types.ts';
import type { HubCaches } from '../caches.ts';
import { isReachable, lostSince } from '../retire/reach.ts';
import { isAhead } from './ahead.ts';
import { notJoined, type Decision } from './decision.ts';

/** A site of which nothing can be heard. */
export interface LostSite {
  readonly cluster: string;
  /** The labels of the ManagedCluster. */
  readonly labels: Readonly<Record<string, string>>;
  /** In milliseconds since the epoch; null if it is not known. */
  readonly lostSince: number | null;
}

/** What a look must know of copies. `J`: what they are judged by. */
export interface CopiesSeen<C, M, J> {
  readonly decision: Decision;
  /** All copies of the object. */
  readonly copies: readonly C[];
  siteOf(copy: C): string;
  /** The site of a copy if nothing can be heard of it; null otherwise. */
  lostSiteOf(copy: C): LostSite | null;
  /** The copy on such a site, by what was last heard of it. */
  lostMember(site: LostSite, judging: J): M;
}

/**
 * Null where something can be heard, and for a cluster that is no member of the hub: what people have done
 * there, the revision has not.
 */
export function lostSite({ clusters }: Pick<HubCaches, 'clusters'>, cluster: string): LostSite | null {
  const found: ManagedCluster | undefined = clusters.get({ namespace: null, name: cluster });
  if (found === undefined || notJoined(cluster, found) !== null || isReachable(found)) return null;
  const { labels = {} } = found.metadata;
  return { cluster, labels, lostSince: lostSince(found) };
}

/**
 * Since when a copy is known to be as it is, in milliseconds since the epoch. Nobody knows how one that is
 * Ready was while its site could not be reached. A site writes itself when it came back, so a time that is
 * yet to come does not count.
 */
export function knownSince(
  { verdict, since }: Pick<Target, 'verdict' | 'since'>,
  { reachableSince = 0 }: { readonly reachableSince?: number },
  now: number,
): number {
  if (verdict !== 'Ready' || isAhead(reachableSince, now)) return since;
  return Math.max(since, Math.min(reachableSince, now));
}

/**
 * Sites that still count, each with its copy. `known`: those that count anyway. Where people name the sites,
 * what is not among those has been taken out by people. A copy that is being deleted counts no more: of these
 * sites none goes unasked, so a person has said so. Of a settled revision that is written once more, only
 * what it was written to counts.
 */
export function lostAmong<C, M extends { readonly target: Target }, J extends { readonly refused: object }>(
  sight: CopiesSeen<C, M, J>,
  known: readonly string[],
  rollout: Rollout,
  judging: J,
): readonly M[] {
  if (isSettled(rollout) || rollout.direction === 'Back' || sight.decision.isNamed) return [];
  const seen = new Set(known);
  return sight.copies.flatMap((copy) => {
    const cluster = sight.siteOf(copy);
    if (seen.has(cluster)) return [];
    const site = sight.lostSiteOf(copy);
    if (site === null) return [];
    // What could not be written is not what the copy has. One that is being deleted has no revision.
    const member = sight.lostMember(site, { ...judging, refused: {} });
    if (member.target.revision !== rollout.revision) return [];
    if (rollout.isResettling === true && !isGivenAgain(member.target, rollout)) return [];
    seen.add(cluster);
    return [{ ...member, target: { ...member.target, isUnselected: true } }];
  });
}

/**
 * Before the first settled revision, while no selected site that can be reached has a copy: what was lost
 * would keep the app from being anywhere.
 */
export function isNowhere(
  members: readonly { readonly target: Target }[],
  { settled }: Pick<Rollout, 'settled'>,
): boolean {
  return settled === null && !members.some(({ target }) => target.reachable && target.revision !== null);
}

/**
 * The plan of such an app without those that were lost: one site at a time. Their copies stay, and count
 * again as soon as one stands elsewhere.
 */
export function oneAtATime(plan: StagePlan, lost: readonly { readonly target: Target }[]): StagePlan {
  const clusters = lost.map(({ target }) => target.cluster);
  return { ...plan, advance: plan.advance.slice(0, 1), lost: clusters };
}

/** What a status says of such a site. */
export function lostMessage(cluster: string): string {
  return `${cluster} cannot be reached since it got this revision, and nothing more is sent there: it is no longer selected. Its stage waits for it until its deadline, and then it has failed.`;
}
