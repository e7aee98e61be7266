// What a review of each Capp on a cluster rests on, from the caches.
import { homeOf } from '../../../workflows/capp/facts/home.ts';
import type { Ground, ReviewedCapp } from '../../../workflows/drain/decide/plan.ts';
import type { PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { ChoiceCaches } from '../caches.ts';
import { claimOf, knownWorks } from '../claim.ts';
import { scoresFor } from '../place/ground.ts';
import { memoryOf, rulesOf } from '../place/move-rules.ts';
import { requiredBy, worksOf } from '../place/placement-inputs.ts';
import type { Occupant } from './residents.ts';

const NO_MEMORY = { placedFor: null, pin: null, lastMove: null };

/** In the order of `residents`. */
export function subjectsOn(
  caches: ChoiceCaches,
  ground: Ground,
  cluster: string,
  residents: readonly Occupant[],
): ReviewedCapp[] {
  const known = new Map<string, PlacementInputs['scores']>();
  const scoresOn = (site: string): PlacementInputs['scores'] => {
    const scores = known.get(site) ?? scoresFor(caches, ground, site);
    known.set(site, scores);
    return scores;
  };
  return residents.map((resident) => subjectOf(caches, cluster, resident, scoresOn));
}

function subjectOf(
  caches: ChoiceCaches,
  cluster: string,
  { namespace, name, priority, capp, fixed }: Occupant,
  scoresOn: (site: string) => PlacementInputs['scores'],
): ReviewedCapp {
  const { placedFor, pin, lastMove } = capp === null ? NO_MEMORY : memoryOf(capp);
  const site = capp?.spec.site ?? '';
  return {
    namespace,
    name,
    priority,
    site,
    ...(capp === null ? {} : requiredBy(capp)),
    works: worksOf(knownWorks(caches, claimOf(caches, { namespace, name }, cluster))),
    scores: scoresOn(site),
    history: { placedFor, pin, home: homeOf({ lastMove, serving: cluster }) },
    rules: rulesOf(capp?.spec.migration),
    movedAt: lastMove?.result === 'Moved' ? lastMove.at : null,
    fixed,
  };
}
