// Whether a Placement has decided for a cluster by its decisions as they are now. A cache may be seconds
// behind, and what it still names would ship a Capp with its Secrets to a site that nothing has decided for
// any more.
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  clustersOn,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import type { Kube } from '../../../kube/client.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { placementsDecidedFor, sitesIn, warrantFor, warrantInTime, type WarrantOptions } from './warrant.ts';

export type DecidedOptions = WarrantOptions & { readonly kube: Pick<Kube, 'list'> };

/**
 * Begins to read decisions beside the Capp itself, if nothing else would allow the Capp there as the cache
 * has it. The answer is for the Capp as it was read. Throws ApiError.
 */
export function decisionsNow(
  options: DecidedOptions,
  ref: CappRef,
  cluster: string,
): (capp: Capp) => Promise<boolean> {
  const known = options.caches.capps.get(ref);
  const isNew = known?.metadata.uid === ref.uid && !sitesIn(known).includes(cluster);
  const isNeeded = isNew && warrantFor(options, known, cluster) === 'Decided';
  const ahead = isNeeded ? decidedNow(options, known, cluster) : null;
  ahead?.catch(() => undefined);
  return (capp) =>
    ahead !== null && known?.metadata.resourceVersion === capp.metadata.resourceVersion
      ? ahead
      : decidedNow(options, capp, cluster);
}

/**
 * Whether anything allows the Capp, as it was just read, on the cluster. Throws ApiError, and what `late`
 * gives while caches are behind, or name a decision that is no longer there.
 */
export async function isWarranted(
  options: WarrantOptions,
  standing: Parameters<typeof warrantInTime>[1],
  minimumVersions: Readonly<Record<string, string>>,
  by: { readonly isDecided: (capp: Capp) => Promise<boolean>; readonly late: () => Error },
): Promise<boolean> {
  const warrant = await warrantInTime(options, standing, minimumVersions, by.late);
  if (warrant === 'Decided' && !(await by.isDecided(standing.capp))) throw by.late();
  return warrant !== null;
}

/**
 * Whether a Placement of the Capp has decided for the cluster, by its decisions as they are. Throws ApiError.
 */
export async function decidedNow(options: DecidedOptions, capp: Capp, cluster: string): Promise<boolean> {
  const read = placementsDecidedFor(options, capp, cluster).map(async ({ namespace, name }) => {
    const labelSelector = `${PLACEMENT_LABEL}=${name}`;
    const { items } = await options.kube.list<PlacementDecision>(PLACEMENT_DECISION, {
      namespace,
      labelSelector,
    });
    return clustersOn(items).includes(cluster);
  });
  return (await Promise.all(read)).includes(true);
}
