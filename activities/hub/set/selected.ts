// Which sites a set is for, from the caches: those that it names, or all decisions of its Placement.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { pinningOf } from '../../../crds/ocm/pinning.ts';
import type { SiteFacts } from '../../../crds/set/render.ts';
import { standingDrain, type HubCaches } from '../caches.ts';
import { factsOf } from '../place/cluster-facts.ts';
import type { ChooseOptions } from '../place/ground.ts';
import { lostSince, reachableSince } from '../retire/reach.ts';
import { notJoined } from '../rollout/decision.ts';

export interface SelectedSite extends SiteFacts {
  readonly reachable: boolean;
  /** Since when it is not, in milliseconds since the epoch; null if that is not known. */
  readonly lostSince: number | null;
  /** Since when it is, in the same way; absent if it is not, and if that is not known. */
  readonly reachableSince?: number;
  /** Nothing new is placed there. */
  readonly draining: boolean;
}

export interface ExcludedSite {
  readonly cluster: string;
  readonly reason: 'UnknownSite' | 'SelfManaged' | 'PinRefused';
  /** What helps. */
  readonly message: string;
}

/** Sites that are selected. */
export interface Selected {
  /** Where a Capp of the set may be. */
  readonly sites: readonly SelectedSite[];
  /** Where it may not be. */
  readonly excluded: readonly ExcludedSite[];
}

/** What decides where Capps of a set may be, and what they say. */
export type SetCaches = Pick<
  HubCaches,
  'capps' | 'configs' | 'placements' | 'decisions' | 'clusterSets' | 'setBindings' | 'clusters' | 'drains'
>;

export type SelectOptions = Pick<ChooseOptions, 'hubUid' | 'config'> & { readonly caches: SetCaches };

const NO_LABELS = {};

/** Where a Capp of a set may be, and where not. */
export function sitesNamed(options: SelectOptions, names: readonly string[]): Selected {
  const { caches, hubUid, config } = options;
  const mayPin = pinningOf(caches, caches.configs.get(config)?.spec);
  const sites: SelectedSite[] = [];
  const excluded: ExcludedSite[] = [];
  for (const cluster of names) {
    const found: ManagedCluster | undefined = caches.clusters.get({ namespace: null, name: cluster });
    const message = notJoined(cluster, found);
    if (found === undefined || message !== null) {
      excluded.push({ cluster, reason: 'UnknownSite', message: message ?? '' });
      continue;
    }
    const draining = standingDrain(caches, cluster) !== undefined;
    const facts = factsOf(found, { hubUid, mayPin: mayPin(found.metadata.labels), draining });
    if (facts.isHub) excluded.push(selfManaged(cluster));
    else if (!facts.mayPin) excluded.push(pinRefused(cluster));
    else {
      const { labels = NO_LABELS } = found.metadata;
      const { reachable } = facts;
      const backAt = reachableSince(found);
      const back = backAt === null ? {} : { reachableSince: backAt };
      sites.push({ cluster, labels, reachable, lostSince: lostSince(found), ...back, draining });
    }
  }
  return { sites, excluded };
}

function selfManaged(cluster: string): ExcludedSite {
  const message = `${cluster} is the hub itself, which runs no Capps.`;
  return { cluster, reason: 'SelfManaged', message };
}

function pinRefused(cluster: string): ExcludedSite {
  const message = `No Capp may be pinned to ${cluster}: it is in no clusterset of the RCSConfig's placements. An administrator of the hub may add it, or allow all sites with pinning: Any.`;
  return { cluster, reason: 'PinRefused', message };
}
