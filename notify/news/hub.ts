// What a person must know of a site or a Drain. Pure.
import type { Drain } from '../../crds/drain/drain.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { AVAILABLE, isMember, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { newsOf, type News } from './news.ts';

/**
 * OCM has said that a site that the hub has accepted is not available. One that has never been is no loss.
 */
export function newsOfSite(cluster: ManagedCluster): readonly News[] {
  const said = conditionOf(cluster.status?.conditions, AVAILABLE);
  if (!isMember(cluster) || said === undefined || said.status === 'True') return [];
  const { lastTransitionTime: at = cluster.metadata.creationTimestamp ?? '' } = said;
  const happening = {
    topic: 'SiteLost',
    reason: 'SiteUnreachable',
    occasion: at,
    text: `Site ${cluster.metadata.name} cannot be reached since ${at}.`,
    at,
  } as const;
  return [newsOf('ManagedCluster', cluster, happening)];
}

/** A drain has done what it could. A dry run is no news. */
export function newsOfDrain(drain: Drain): readonly News[] {
  const { metadata, spec, status } = drain;
  const { endedAt, phase = '', moved = 0, stayed = 0, observedGeneration } = status ?? {};
  if (endedAt === undefined || spec.dryRun || phase !== 'Done' || observedGeneration !== metadata.generation)
    return [];
  const stay = stayed === 0 ? 'none stays' : `${stayed} stay`;
  const happening = {
    topic: 'DrainEnded',
    reason: stayed === 0 ? 'SiteEmpty' : 'CappsStay',
    occasion: endedAt,
    text: `The drain of site ${metadata.name} has ended: ${moved} Capps have left, and ${stay}.`,
    at: endedAt,
    isPast: true,
  } as const;
  return [newsOf('Drain', drain, happening)];
}
