// What a drain asks of the caches: who is on a cluster, in which order they go, and what would become of them. It touches nothing.
import { setImmediate as breathe } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { Capp } from '../../crds/capp.ts';
import { homeOf } from '../../workflows/decide/moved.ts';
import { fatesOf, planOf, type Fate, type Subject } from '../../workflows/decide/plan.ts';
import type { Place } from '../../workflows/drain-state.ts';
import { Failure } from '../../workflows/failures.ts';
import type { Hub } from '../../workflows/ports.ts';
import { cappIndexKey, type HubCaches } from './caches.ts';
import { isPaused } from './capps.ts';
import { groundFor, worksOf, type ChooseOptions } from './field.ts';
import { pending } from './pending.ts';
import { memoryOf, priorityOf, rulesOf } from './standing.ts';

const PAGE = 200;
/** So many Capps are looked at before others get their turn in this process. */
const SLICE = 50;

export function hubDrain(options: ChooseOptions): Pick<Hub, 'cappsOn' | 'plan'> {
  const { caches } = options;
  return {
    cappsOn: async (cluster, after) => {
      const left = inOrder(caches, cluster).filter((place) => after === null || compare(after, place) < 0);
      const subjects = left.slice(0, PAGE).map((place) => subjectOf(caches, cluster, place));
      const fates = [...fatesOf(cluster, groundFor(options, pending()), subjects, Date.now())];
      const capps = fates.map(({ namespace, name, priority, to, frozen }) => ({ namespace, name, priority, to, frozen }));
      return { capps, isLast: left.length <= PAGE };
    },
    plan: async (cluster) => {
      const now = Date.now();
      const subjects = inOrder(caches, cluster).map((place) => subjectOf(caches, cluster, place));
      if (subjects.length === 0 && caches.clusters.get({ namespace: null, name: cluster }) === undefined) throw unknown(cluster);
      const fates: Fate[] = [];
      for (const fate of fatesOf(cluster, groundFor(options, pending()), subjects, now)) {
        fates.push(fate);
        if (fates.length % SLICE === 0) await breathe();
      }
      return planOf(cluster, fates, now);
    },
  };
}

function unknown(cluster: string): ApplicationFailure {
  const message = `There is no managed cluster ${cluster}, and no Capp on it. kubectl get managedclusters lists them.`;
  return ApplicationFailure.create({ type: Failure.Gone, message, nonRetryable: true });
}

type Standing = Place & { readonly capp: Capp };

/** The Capps that a cluster serves and that nobody has deleted. */
function inOrder(caches: HubCaches, cluster: string): Standing[] {
  return caches.capps
    .list()
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && servingOf(status) === cluster)
    .map((capp) => ({ namespace: capp.metadata.namespace ?? '', name: capp.metadata.name, priority: priorityOf(capp), capp }))
    .toSorted(compare);
}

function servingOf(status: Capp['status']): string | undefined {
  return status?.migration?.serving ?? status?.applicationLinks?.site;
}

function compare(a: Place, b: Place): number {
  return b.priority - a.priority || order(a.namespace, b.namespace) || order(a.name, b.name);
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function subjectOf({ works }: HubCaches, cluster: string, { namespace, name, priority, capp }: Standing): Subject {
  const { placedFor, pin, lastMove } = memoryOf(capp);
  return {
    namespace,
    name,
    priority,
    site: capp.spec.site ?? '',
    works: worksOf(works.by('capp', cappIndexKey(namespace, name))),
    standing: { placedFor, pin, home: homeOf({ lastMove, serving: cluster }) },
    rules: rulesOf(capp.spec.migration),
    frozen: isPaused(capp),
  };
}
