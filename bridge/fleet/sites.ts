// Which objects on many sites a change of a managed cluster concerns, or of what may be sent there.
import { isDeepStrictEqual } from 'node:util';
import { AVAILABLE, MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import type { SiteOpenings } from '../changes/openings.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';
import type { CallOwner, KeptObject } from './keep.ts';

type Spread = KeptObject & {
  readonly spec: {
    readonly placement?: string;
    readonly sites?: { readonly clusters?: readonly string[] };
  };
};

/**
 * A site that is lost, back, or has other labels, which overrides and stages may name. Which sites a
 * Placement selects is not known here, so each site concerns all that have one. Returns the function that
 * ends it.
 */
export function listenToSites(
  { clusters }: Pick<BridgeWatched, 'clusters'>,
  all: () => readonly Spread[],
  call: CallOwner,
): () => void {
  return clusters.subscribe(({ type, object, previous, initial }) => {
    const isSame = type === 'Modified' && isDeepStrictEqual(factsOf(previous), factsOf(object));
    if (initial || isSame) return;
    const { name } = object.metadata;
    for (const one of all())
      if (mayBeOn(one, (cluster) => cluster === name))
        call(one, object, MANAGED_CLUSTER.kind, BRIDGE_TIMES.fleetCopies.ms);
  });
}

/**
 * Sites that are open by name since a change, or are that no longer: they are selected as before, and only
 * now something may go there, or has to stay away. Returns the function that ends it.
 */
export function listenToOpened(
  openings: SiteOpenings,
  all: () => readonly Spread[],
  call: CallOwner,
): () => void {
  return openings.subscribe((clusters, object, kind) => {
    for (const one of all())
      if (mayBeOn(one, (cluster) => clusters.has(cluster)))
        call(one, object, kind, BRIDGE_TIMES.fleetCopies.ms);
  });
}

/** Of one that was stored before a rule the sites may be no list: what it is told then, its turn says. */
function mayBeOn({ spec }: Spread, isOne: (cluster: string) => boolean): boolean {
  const clusters: unknown = spec.sites?.clusters ?? [];
  return spec.placement !== undefined || (Array.isArray(clusters) ? clusters.some(isOne) : true);
}

/** What decides whether a copy may be there, what it says, and whether the site can be reached. */
function factsOf(cluster: ManagedCluster | null): unknown {
  if (cluster === null) return null;
  const { metadata, spec, status } = cluster;
  const { labels = {}, deletionTimestamp } = metadata;
  const available = status?.conditions?.find(({ type }) => type === AVAILABLE)?.status;
  return { labels, deletionTimestamp, accepted: spec?.hubAcceptsClient, taints: spec?.taints, available };
}
