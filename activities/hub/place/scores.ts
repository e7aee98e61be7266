// Applies a Placement's own prioritizers to the clusters that it has decided for, so that our choice among
// them agrees with OCM.
import type { AddOnPlacementScore, Placement } from '../../../crds/ocm/ocm.ts';
import type { HubCaches } from '../caches.ts';

type ScoreCaches = Pick<HubCaches, 'placements' | 'decisions' | 'scores'>;

/** An AddOnPlacementScore in a cluster's namespace, by its name. */
export type FindScore = (cluster: string, name: string) => AddOnPlacementScore | undefined;

/**
 * The weighted sum over the add-on scores that the Placement names, as OCM reckons it (ocm:
 * pkg/placement/plugins/addon): weight 1 unless it says otherwise, and 0 for what is missing or has expired.
 * What is built in has had its say in the decision.
 */
export function scoreOf(
  placement: Placement | undefined,
  cluster: string,
  find: FindScore,
  now: number,
): number {
  const configurations = placement?.spec?.prioritizerPolicy?.configurations ?? [];
  return configurations.reduce((sum, { scoreCoordinate, weight = 1 }) => {
    if (scoreCoordinate?.type !== 'AddOn' || scoreCoordinate.addOn === undefined) return sum;
    const { resourceName, scoreName } = scoreCoordinate.addOn;
    return sum + weight * valueIn(find(cluster, resourceName), scoreName, now);
  }, 0);
}

function valueIn(score: AddOnPlacementScore | undefined, name: string, now: number): number {
  const { scores = [], validUntil } = score?.status ?? {};
  if (validUntil !== undefined && Date.parse(validUntil) < now) return 0;
  return scores.find((figure) => figure.name === name)?.value ?? 0;
}

/**
 * Score by cluster, for Placements in the order in which they count: a cluster that several have decided for
 * takes that of the first.
 */
export function scoresOf(
  caches: ScoreCaches,
  namespace: string,
  names: readonly string[],
): Record<string, number> {
  const find: FindScore = (cluster, name) => caches.scores.get({ namespace: cluster, name });
  const now = Date.now();
  const entries = names.toReversed().flatMap((name) => {
    const placement = caches.placements.get({ namespace, name });
    const decided = caches.decisions
      .by('placement', `${namespace}/${name}`)
      .flatMap((page) => page.status?.decisions ?? []);
    return decided.map(
      ({ clusterName }) => [clusterName, scoreOf(placement, clusterName, find, now)] as const,
    );
  });
  return Object.fromEntries(entries);
}
