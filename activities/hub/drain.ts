// What a drain asks of the caches: who is on a cluster, in which order they go, and what would become of them. It touches nothing.
import { setImmediate as breathe } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { Capp } from '../../crds/capp.ts';
import { homeOf } from '../../workflows/decide/moved.ts';
import { fatesOf, planOf, type Fate, type Subject } from '../../workflows/decide/plan.ts';
import type { Field } from '../../workflows/decide/select.ts';
import type { Place } from '../../workflows/drain-state.ts';
import { Failure } from '../../workflows/failures.ts';
import type { Hub } from '../../workflows/ports.ts';
import type { HubCaches } from './caches.ts';
import { isPaused } from './capps.ts';
import { claimOf, knownWorks } from './claim.ts';
import { groundFor, scoresFor, worksOf, type ChooseOptions } from './field.ts';
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
      const fates = [...fatesOn(options, cluster, left.slice(0, PAGE))];
      const capps = fates.map(({ namespace, name, priority, to, frozen }) => ({ namespace, name, priority, to, frozen }));
      return { capps, isLast: left.length <= PAGE };
    },
    plan: async (cluster) => {
      const residents = inOrder(caches, cluster);
      if (residents.length === 0 && caches.clusters.get({ namespace: null, name: cluster }) === undefined) throw unknown(cluster);
      const fates: Fate[] = [];
      for (const fate of fatesOn(options, cluster, residents)) {
        fates.push(fate);
        if (fates.length % SLICE === 0) await breathe();
      }
      return planOf(cluster, fates, Date.now());
    },
  };
}

function fatesOn(options: ChooseOptions, cluster: string, residents: readonly Standing[]): Generator<Fate> {
  const { caches } = options;
  const ground = groundFor(options, pending());
  const known = new Map<string, Field['scores']>();
  const scoresOn = (site: string): Field['scores'] => {
    const scores = known.get(site) ?? scoresFor(caches, ground, site);
    known.set(site, scores);
    return scores;
  };
  const subjects = residents.map((resident) => subjectOf(caches, cluster, resident, scoresOn));
  return fatesOf(cluster, ground, subjects, Date.now());
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

function subjectOf(
  caches: HubCaches,
  cluster: string,
  { namespace, name, priority, capp }: Standing,
  scoresOn: (site: string) => Field['scores'],
): Subject {
  const { placedFor, pin, lastMove } = memoryOf(capp);
  const site = capp.spec.site ?? '';
  return {
    namespace,
    name,
    priority,
    site,
    works: worksOf(knownWorks(caches, claimOf(caches, { namespace, name }, cluster))),
    scores: scoresOn(site),
    standing: { placedFor, pin, home: homeOf({ lastMove, serving: cluster }) },
    rules: rulesOf(capp.spec.migration),
    frozen: isPaused(capp),
  };
}
