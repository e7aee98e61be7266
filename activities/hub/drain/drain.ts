// Answers a drain from the caches: which Capps are on a cluster, in which order they leave, and where they
// would go. It changes nothing.
import { ApplicationFailure } from '@temporalio/common';
import { homeOf } from '../../../workflows/capp/facts/home.ts';
import {
  fatesOf,
  pageOf,
  planOf,
  type Fate,
  type Subject,
  type DrainPage,
} from '../../../workflows/drain/decide/plan.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { breather } from '../breather.ts';
import { standingDrain, type HubCaches } from '../caches.ts';
import { claimOf, knownWorks } from '../claim.ts';
import { groundFor, scoresFor, type ChooseOptions } from '../place/ground.ts';
import { requiredBy, worksOf } from '../place/placement-inputs.ts';
import { pending } from '../place/pending.ts';
import { residentsOf, type Occupant } from './residents.ts';
import { memoryOf, rulesOf } from '../place/move-rules.ts';

const PAGE = 200;

const NO_MEMORY = { placedFor: null, pin: null, lastMove: null };

export function hubDrain(options: ChooseOptions): Pick<Hub, 'cappsOn' | 'plan'> {
  const { caches } = options;
  return {
    cappsOn: async (cluster, after, bound) => {
      const residents = residentsOf(caches, cluster, standingDrain(caches, cluster));
      return pageOf(fatesOn(options, cluster, residents, { after, bound }), PAGE);
    },
    plan: async (cluster) => {
      const residents = residentsOf(caches, cluster, drainOf(caches, cluster));
      if (residents.length === 0 && caches.clusters.get({ namespace: null, name: cluster }) === undefined)
        throw unknown(cluster);
      const fates: Fate[] = [];
      const breathe = breather();
      for (const fate of fatesOn(options, cluster, residents, { after: null, bound: [] })) {
        fates.push(fate);
        await breathe();
      }
      return planOf(cluster, fates, Date.now());
    },
  };
}

function drainOf({ drains }: HubCaches, cluster: string): Drain | undefined {
  return drains.get({ namespace: null, name: cluster });
}

function fatesOn(
  options: ChooseOptions,
  cluster: string,
  residents: readonly Occupant[],
  wanted: Omit<DrainPage, 'now'>,
): Generator<Fate> {
  const { caches } = options;
  const ground = groundFor(options, pending());
  const known = new Map<string, PlacementInputs['scores']>();
  const scoresOn = (site: string): PlacementInputs['scores'] => {
    const scores = known.get(site) ?? scoresFor(caches, ground, site);
    known.set(site, scores);
    return scores;
  };
  const subjects = residents.map((resident) => subjectOf(caches, cluster, resident, scoresOn));
  return fatesOf(cluster, ground, subjects, { ...wanted, now: Date.now() });
}

function unknown(cluster: string): ApplicationFailure {
  const message = `There is no managed cluster ${cluster}, and no Capp on it. kubectl get managedclusters lists them.`;
  return ApplicationFailure.create({ type: Failure.Gone, message, nonRetryable: true });
}

function subjectOf(
  caches: HubCaches,
  cluster: string,
  { namespace, name, priority, capp, fixed }: Occupant,
  scoresOn: (site: string) => PlacementInputs['scores'],
): Subject {
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
