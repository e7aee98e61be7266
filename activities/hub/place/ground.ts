// The part of the placement inputs that is the same for every Capp: placements with their decisions, clusters
// and loads.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { clustersOn } from '../../../crds/ocm/placements.ts';
import { pinningOf } from '../../../crds/ocm/pinning.ts';
import type { RcsConfig } from '../../../crds/hub/rcs-config.ts';
import type { Ground } from '../../../workflows/drain/decide/plan.ts';
import type { ClusterFacts, PlacementFacts, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { standingDrain, type ChoiceCaches } from '../caches.ts';
import { namedWorks } from '../claim.ts';
import { factsOf } from './cluster-facts.ts';
import type { PendingChoices } from './pending.ts';
import { scoresOf } from './scores.ts';

export interface ChooseOptions {
  readonly caches: ChoiceCaches;
  /** uid of the hub's own kube-system Namespace: a managed cluster that claims it is the hub. */
  readonly hubUid: string;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
}

export function groundFor({ caches, hubUid, config: key }: ChooseOptions, waiting: PendingChoices): Ground {
  const config: RcsConfig | undefined = caches.configs.get(key);
  const placements = config?.spec.placements ?? null;
  const placementsNamespace = config?.spec.placementsNamespace ?? '';
  const mayPin = pinningOf(caches, config?.spec);
  const facts = (cluster: ManagedCluster): ClusterFacts =>
    factsOf(cluster, {
      hubUid,
      mayPin: mayPin(cluster.metadata.labels),
      draining: standingDrain(caches, cluster.metadata.name) !== undefined,
    });
  const clusters = Object.fromEntries(
    caches.clusters.list().map((cluster) => [cluster.metadata.name, facts(cluster)]),
  );
  return {
    config: key,
    placements,
    placementsNamespace,
    byPlacement: Object.fromEntries(
      (placements ?? []).map((name) => [name, placementFacts(caches, placementsNamespace, name)]),
    ),
    clusters,
    load: Object.fromEntries(Object.keys(clusters).map((name) => [name, loadOf(caches, waiting, name)])),
  };
}

/** Scores by the placements that count for a `spec.site`. */
export function scoresFor(
  caches: ChoiceCaches,
  { placements, placementsNamespace }: Ground,
  site: string,
): PlacementInputs['scores'] {
  return scoresOf(
    caches,
    placementsNamespace,
    placements?.includes(site) === true ? [site] : (placements ?? []),
  );
}

/** The union of all pages of the Placement's decisions; null if there is no such Placement. */
function placementFacts(caches: ChoiceCaches, namespace: string, name: string): PlacementFacts | null {
  const placement = caches.placements.get({ namespace, name });
  if (placement === undefined) return null;
  const clusters = clustersOn(caches.decisions.by('placement', `${namespace}/${name}`));
  return { clusters, complete: placement.status?.numberOfSelectedClusters === clusters.length };
}

function loadOf(caches: ChoiceCaches, waiting: PendingChoices, cluster: string): number {
  const visible = (key: string): boolean => {
    const [namespace = '', name = ''] = key.split('/');
    return namedWorks(caches, { namespace, name }).some(({ metadata }) => metadata.namespace === cluster);
  };
  return caches.works.count('cluster', cluster) + waiting.countOn(cluster, visible);
}
