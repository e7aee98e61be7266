// Copies with the revision that is on its way, on sites that are no longer selected, or where the object may
// not go, and of which nothing can be heard: the revision may be why. OCM takes a lost site out of a
// Placement that does not tolerate that, and nothing is proven by it. Pure, but for the caches.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { isSettled } from '../../../workflows/stages/gates.ts';
import type { Rollout, Target } from '../../../workflows/stages/types.ts';
import type { HubCaches } from '../caches.ts';
import { isReachable, lostSince } from '../retire/reach.ts';
import type { Decision } from './decision.ts';

/** A site of which nothing can be heard. */
export interface LostSite {
  readonly cluster: string;
  /** The labels of the ManagedCluster; none if that is gone. */
  readonly labels: Readonly<Record<string, string>>;
  /** In milliseconds since the epoch; null if it is not known. */
  readonly lostSince: number | null;
  /** There is no ManagedCluster of the name. */
  readonly isForgotten: boolean;
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

/** Null where something can be heard: the hub has accepted the cluster, and it is available. */
export function lostSite({ clusters }: Pick<HubCaches, 'clusters'>, cluster: string): LostSite | null {
  const found: ManagedCluster | undefined = clusters.get({ namespace: null, name: cluster });
  if (found === undefined) return { cluster, labels: {}, lostSince: null, isForgotten: true };
  if (isReachable(found) && found.spec?.hubAcceptsClient === true) return null;
  const { labels = {} } = found.metadata;
  return { cluster, labels, lostSince: lostSince(found), isForgotten: false };
}

/**
 * Sites that still count, each with its copy. `known`: those that count anyway. Where people have named the
 * sites, they have taken out what is not among them. A copy that is being deleted counts no more: of these
 * sites none goes unasked, so a person has said so.
 */
export function lostAmong<C, M extends { readonly target: Target }, J extends { readonly refused: object }>(
  sight: CopiesSeen<C, M, J>,
  known: readonly string[],
  rollout: Rollout,
  judging: J,
): readonly M[] {
  if (isSettled(rollout)) return [];
  const { isNamed, clusters } = sight.decision;
  const isMeant = new Set(clusters);
  const seen = new Set(known);
  return sight.copies.flatMap((copy) => {
    const cluster = sight.siteOf(copy);
    if (seen.has(cluster) || (isNamed && !isMeant.has(cluster))) return [];
    const site = sight.lostSiteOf(copy);
    if (site === null) return [];
    // What could not be written is not what the copy has. One that is being deleted has no revision.
    const member = sight.lostMember(site, { ...judging, refused: {} });
    if (member.target.revision !== rollout.revision) return [];
    seen.add(cluster);
    const forgotten = site.isForgotten ? { isForgotten: true } : {};
    return [{ ...member, target: { ...member.target, isUnselected: true, ...forgotten } }];
  });
}

/** What a status says of such a site. */
export function lostMessage(cluster: string): string {
  return `${cluster} cannot be reached since it got this revision, and nothing more is sent there: it is no longer selected, or the hub does not have it any more. Its stage waits for it until its deadline, and then it has failed.`;
}
