// Where a Capp is, as the hub finds it again after a rebuild of its workflow.
import type { Capp } from '../../../crds/capp/capp.ts';
import { isAmbiguous, isLabelledFor } from '../../../crds/ocm/work-identity.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { isDecided } from '../../../workflows/placement/decided.ts';
import type { PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { poolOf } from '../../../workflows/placement/select.ts';
import type { ChoiceAsk } from '../../../workflows/ports/choice.ts';
import { recordedSite } from '../claim.ts';
import { mustNotRunTwice } from './move-rules.ts';

/** The works in which a Capp's site may be found. */
export interface SeenWorks {
  /** From the caches, as `Subject` has them. */
  readonly cached: readonly KubeObject[];
  readonly doubtful: readonly KubeObject[];
  readonly isRivalled: boolean;
  readonly live: ChoiceAsk['works'];
}

/**
 * The site of the Capp: the one that the hub has recorded, if a work is there. The hub may write the record
 * after the work, so without one it is any cluster where the Capp may be and where a work is surely its own:
 * - a work with a name that no other Capp could have. Others do not count, so that a new Capp is not sent
 *   where somebody has left a work to be found;
 * - a work that was read live or has our label for this Capp, while no other Capp has that name for its
 *   works. A try whose answer was lost leaves such a work, and another site would get a second one.
 *
 * A Capp that must not run twice is wherever a work may be its own.
 */
export function remembered(
  inputs: PlacementInputs,
  capp: Capp,
  { cached, doubtful, isRivalled, live }: SeenWorks,
): string | null {
  const isStaying = (cluster: string): boolean => inputs.works[cluster]?.leaving === false;
  const site = recordedSite(capp);
  if (site !== null && isStaying(site)) return site;
  const isOnce = mustNotRunTwice(capp);
  const isOwn = (work: KubeObject): boolean => !isRivalled && isLabelledFor(work, capp.metadata);
  const sure = cached
    .filter((work) => isOnce || !isAmbiguous(work.metadata.name) || isOwn(work))
    .map(({ metadata }) => metadata.namespace ?? '');
  const read = isRivalled && !isOnce ? [] : live.map(({ cluster }) => cluster);
  const staying = [...sure, ...read].filter(isStaying).toSorted();
  const perhaps = doubtful.filter((work) => !isLeaving(work)).map(({ metadata }) => metadata.namespace ?? '');
  return [...staying, ...perhaps.toSorted()].find((cluster) => mayBeOn(inputs, cluster)) ?? null;
}

/** A placement of the Capp selects it, or the Capp names it and may be pinned to it. */
function mayBeOn(inputs: PlacementInputs, cluster: string): boolean {
  if (isDecided(inputs, cluster)) return true;
  const pool = poolOf({ ...inputs, present: null });
  return typeof pool !== 'string' && pool.clusters.includes(cluster);
}

export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
