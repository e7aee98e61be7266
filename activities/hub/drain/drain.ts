// Answers a drain from the caches: which Capps are on a cluster, in which order they leave, and where they
// would go. It changes nothing.
import { ApplicationFailure } from '@temporalio/common';
import { fatesOf, pageOf, planOf, type Fate, type DrainPage } from '../../../workflows/drain/decide/plan.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { breather } from '../breather.ts';
import { standingDrain, type ChoiceCaches } from '../caches.ts';
import { groundFor, type ChooseOptions } from '../place/ground.ts';
import { pending } from '../place/pending.ts';
import { residentsOf, type Occupant } from './residents.ts';
import { subjectsOn } from './subjects.ts';

const PAGE = 200;

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

function drainOf({ drains }: ChoiceCaches, cluster: string): Drain | undefined {
  return drains.get({ namespace: null, name: cluster });
}

/** In the order in which a drain gives turns. */
export function fatesOn(
  options: ChooseOptions,
  cluster: string,
  residents: readonly Occupant[],
  wanted: Omit<DrainPage, 'now'>,
): Generator<Fate> {
  const { caches } = options;
  const ground = groundFor(options, pending());
  return fatesOf(cluster, ground, subjectsOn(caches, ground, cluster, residents), {
    ...wanted,
    now: Date.now(),
  });
}

function unknown(cluster: string): ApplicationFailure {
  const message = `There is no managed cluster ${cluster}, and no Capp on it. kubectl get managedclusters lists them.`;
  return ApplicationFailure.create({ type: Failure.Gone, message, nonRetryable: true });
}
