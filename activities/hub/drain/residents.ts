// Lists the Capps with a copy on a cluster, from the caches: copies that serve, and copies and works that
// still have to be removed.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import { ownerByAnnotations } from '../../../crds/ocm/work-identity.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { compareTurns, type Untold } from '../../../workflows/drain/decide/plan.ts';
import type { DrainPlace } from '../../../workflows/drain/state.ts';
import type { ChoiceCaches } from '../caches.ts';
import { isPaused } from '../../../crds/capp/requests.ts';
import { claimOf, knownWorks, recordedSite } from '../claim.ts';
import { priorityOf } from '../place/move-rules.ts';

export interface Occupant extends DrainPlace {
  /** Null for a work whose Capp is gone. */
  readonly capp: Capp | null;
  /** Why it is not told to leave; null for one that the cluster serves and that nothing keeps from moving. */
  readonly fixed: Untold | null;
}

const PAUSED: Untold = { reason: 'Paused', message: 'Annotation rcs.dana.io/paused pauses it.' };
const DELETING: Untold = { reason: 'Deleting', message: 'It is being deleted.' };
const NO_CAPP: Untold = {
  reason: 'NoCapp',
  message: 'The ManifestWork has no Capp. If Cappstan made it, it is being deleted.',
};
const STILL_LEAVING: Untold = {
  reason: 'StillLeaving',
  message: 'The Capp serves from another site, and this one still has to remove its copy.',
};
const OTHER_COPY: Untold = {
  reason: 'OtherCopy',
  message: 'The Capp serves from another site, and is moving from or to this one.',
};

interface Site {
  readonly cluster: string;
  readonly drain: Drain | undefined;
}

/** In the order in which a drain gives turns. Priorities in `drain` replace those of the Capps. */
export function residentsOf(caches: ChoiceCaches, cluster: string, drain?: Drain): Occupant[] {
  const here = new Map<Capp | null, KubeObject[]>();
  for (const work of caches.works.by('cluster', cluster)) {
    const owners = ownersOf(caches, work);
    for (const owner of owners.length === 0 ? [null] : owners)
      here.set(owner, [...(here.get(owner) ?? []), work]);
  }
  const left = here.get(null) ?? [];
  const found = caches.capps
    .list()
    .flatMap((capp) => occupant(capp, { cluster, drain }, here.get(capp) ?? []));
  return [...found, ...left.map(leftOver)].toSorted(compareTurns);
}

function ownersOf(caches: ChoiceCaches, work: KubeObject): Capp[] {
  return caches.capps
    .by('work', work.metadata.name)
    .filter((capp) => knownWorks(caches, claimOf(caches, refOf(capp))).includes(work));
}

function occupant(capp: Capp, { cluster, drain }: Site, works: readonly KubeObject[]): Occupant[] {
  const serving = recordedSite(capp);
  if (works.length === 0 && serving !== cluster) return [];
  // A Capp without a recorded site was shipped here a moment ago.
  const isElsewhere = serving !== null && serving !== cluster;
  return [
    { ...refOf(capp), priority: priorityOf(capp, drain), capp, fixed: fixedBy(capp, isElsewhere, works) },
  ];
}

function fixedBy(capp: Capp, isElsewhere: boolean, works: readonly KubeObject[]): Untold | null {
  if (capp.metadata.deletionTimestamp !== undefined) return DELETING;
  if (isElsewhere)
    return works.every(({ metadata }) => metadata.deletionTimestamp !== undefined)
      ? STILL_LEAVING
      : OTHER_COPY;
  return isPaused(capp) ? PAUSED : null;
}

/** A work whose Capp is gone. */
function leftOver(work: KubeObject): Occupant {
  const { namespace = '', name } = work.metadata;
  return { ...(ownerByAnnotations(work) ?? { namespace, name }), priority: 0, capp: null, fixed: NO_CAPP };
}

function refOf({ metadata: { namespace = '', name } }: Capp): Pick<DrainPlace, 'namespace' | 'name'> {
  return { namespace, name };
}
