// Builds the placement inputs of one Capp: the ground that it shares with all others, and its own works.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { ChoiceAsk } from '../../../workflows/ports/choice.ts';
import { groundFor, scoresFor, type ChooseOptions } from './ground.ts';
import type { PendingChoices } from './pending.ts';
import { isLeaving, remembered } from './remembered.ts';

export interface PlacementSubject {
  /** From the caches. */
  readonly key: string;
  readonly capp: Capp;
  readonly works: readonly KubeObject[];
  /** Works that may be another Capp's as well. Only a Capp that must not run twice looks at them. */
  readonly doubtful: readonly KubeObject[];
  /** Another Capp's works have the same name. */
  readonly isRivalled: boolean;
  readonly ask: ChoiceAsk;
}

export function placementInputs(
  options: ChooseOptions,
  waiting: PendingChoices,
  { key, capp, works: cached, doubtful, isRivalled, ask }: PlacementSubject,
): PlacementInputs {
  const ground = groundFor(options, waiting);
  const site = capp.spec.site ?? '';
  const works = withLive(worksOf(cached), ask.works);
  const inputs: PlacementInputs = {
    ...ground,
    site,
    ...requiredBy(capp),
    scores: scoresFor(options.caches, ground, site),
    load: withoutOwn(ground.load, cached, waiting.placeOf(key)),
    works,
    ...(doubtful.length === 0 ? {} : { doubtful: doubtful.map(({ metadata }) => metadata.namespace ?? '') }),
    present: ask.present,
    avoid: ask.avoid,
  };
  return inputs.present === null
    ? { ...inputs, present: remembered(inputs, capp, { cached, doubtful, isRivalled, live: ask.works }) }
    : inputs;
}

export function requiredBy({ spec: { requires } }: Capp): Pick<PlacementInputs, 'requires'> {
  return requires === undefined ? {} : { requires };
}

/**
 * Clusters with works of the Capp, and whether they are being deleted: of two works on a cluster, whether
 * both are.
 */
export function worksOf(works: readonly KubeObject[]): PlacementInputs['works'] {
  const found: Record<string, { leaving: boolean }> = {};
  for (const work of works) {
    const { namespace: cluster = '' } = work.metadata;
    found[cluster] = { leaving: (found[cluster]?.leaving ?? true) && isLeaving(work) };
  }
  return found;
}

/**
 * Live reads count where no cache shows a work yet. A work that is being deleted by either is being deleted.
 */
function withLive(works: PlacementInputs['works'], live: ChoiceAsk['works']): PlacementInputs['works'] {
  const added = live.map(
    ({ cluster, leaving }) => [cluster, { leaving: leaving || works[cluster]?.leaving === true }] as const,
  );
  return { ...works, ...Object.fromEntries(added) };
}

/**
 * A Capp does not count itself: neither its works nor a recent choice for it add to the load of a cluster.
 */
function withoutOwn(
  load: PlacementInputs['load'],
  works: readonly KubeObject[],
  pending: string | null,
): PlacementInputs['load'] {
  const own = new Set(works.map(({ metadata }) => metadata.namespace ?? ''));
  if (pending !== null) own.add(pending);
  return Object.fromEntries(
    Object.entries(load).map(([cluster, count]) => [
      cluster,
      own.has(cluster) ? Math.max(0, count - 1) : count,
    ]),
  );
}
