// Whether a Capp's work stands on a cluster, and what an outcome says of whether the Capp may be there.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import { statusSite, type WorkClaim } from '../claim.ts';
import { mustNotRunTwice } from '../place/move-rules.ts';
import { isComing, sitesIn } from '../place/warrant.ts';
import { findWork } from '../works.ts';

interface Landing {
  /** As it was just read. */
  readonly capp: Capp;
  readonly cluster: string;
}

/**
 * Whether a work stands there: `live`, or one that was not expected. A try whose answer was lost may have
 * made it, and have told that the Capp comes there: nothing is read unless the status says that. Throws
 * ApiError.
 */
export async function isThere(
  kube: Kube,
  claim: WorkClaim,
  { capp, cluster, live }: Landing & { readonly live: ManifestWork | null },
): Promise<boolean> {
  const isTold = statusSite(capp) !== cluster && sitesIn(capp).includes(cluster);
  const work = live === null && isTold ? await findWork(kube, claim, cluster) : live;
  return work !== null && work.metadata.deletionTimestamp === undefined;
}

interface Asked extends Landing {
  readonly claim: WorkClaim;
  readonly applied: Applied;
  /** Where users are sent, by the state. */
  readonly serving: string | null;
}

/**
 * Whether the outcome of an apply says that the Capp may be on the cluster, as far as the state says so, too.
 * Of one that is paused nobody has asked. One that is refused has no copy there, so no users are led to it
 * and away from another, unless that had to go first. Throws ApiError.
 */
export async function isWarrantedBy(
  kube: Kube,
  { applied: { outcome }, claim, capp, cluster, serving }: Asked,
): Promise<boolean> {
  if (outcome !== 'Refused' || serving !== cluster) return outcome !== 'Paused';
  const site = statusSite(capp);
  if (site === null || site === cluster || (mustNotRunTwice(capp) && isComing(capp, cluster))) return true;
  return (await findWork(kube, claim, site)) === null;
}

/** The work was there, and the workflow has no stamp of it: the answer of the try that made it was lost. */
export function foundAgain(
  { created }: { readonly created: boolean },
  copy: Copy | undefined,
): { readonly wasThere?: true } {
  return created || (copy?.stamp ?? null) !== null ? {} : { wasThere: true };
}
