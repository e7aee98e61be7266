// Applies a Placement's own prioritizers to the clusters that it selected, so that our choice among them
// agrees with OCM.
import type { AddOnPlacementScore, Placement } from '../../../crds/ocm/placements.ts';
import type { HubCaches } from '../caches.ts';

type ScoreCaches = Pick<HubCaches, 'placements' | 'decisions' | 'scores'>;

/** An AddOnPlacementScore in a cluster's namespace, by its name. */
export type FindScore = (cluster: string, name: string) => AddOnPlacementScore | undefined;

/**
 * The weighted sum over the add-on scores that the Placement names, as OCM computes it (ocm:
 * pkg/placement/plugins/addon): weight 1 by default, and 0 for a score that is missing or has expired. OCM's
 * built-in prioritizers have already affected the decision.
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
 * Score by cluster, for Placements in their order: a cluster that several selected gets the score of the
 * first.
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
