// Creates a work again for a copy on a site that has none, so that the copy is counted, shown and deleted
// properly.
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { workNamesOf } from '../../../crds/ocm/work-identity.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { acting } from '../../trying.ts';
import type { HubCaches } from '../caches.ts';
import { readCapp } from '../capps.ts';
import { claimOf, recordedSite } from '../claim.ts';
import { strayWork } from '../ship/render/work.ts';
import type { RetireOptions } from '../retire/retire.ts';
import { identityOf } from '../works.ts';
import { noteTakenUp } from './taken-up.ts';

type Finder = Pick<RetireOptions, 'kube'> & {
  readonly caches: RetireOptions['caches'] & Pick<HubCaches, 'clusters'>;
};

export function hubTakeUp({ kube, caches }: Finder): Pick<Hub, 'takeUp'> {
  return {
    takeUp: (capp, cluster) => acting(kube, (bounded) => takeUp({ kube: bounded, caches }, capp, cluster)),
  };
}

/** The Capp's own site gets its work back from an apply. */
async function takeUp(
  { kube, caches }: Finder,
  ref: CappRef,
  cluster: string,
): Promise<{ readonly taken: boolean }> {
  // Works are made for managed clusters alone, whatever a message calls one.
  if (caches.clusters.get({ namespace: null, name: cluster }) === undefined) return { taken: false };
  const read = await readCapp(kube, ref);
  if (read.is === 'replaced' || read.capp === null || recordedSite(read.capp) === cluster)
    return { taken: false };
  const claim = claimOf(caches, ref, recordedSite(read.capp));
  const found = await Promise.all(
    workNamesOf(claim).map((name) => kube.get(MANIFEST_WORK, { namespace: cluster, name })),
  );
  if (found.some((work) => work !== null)) return { taken: false };
  try {
    // First, so that no work stands there of which the Capp does not say why.
    if (!(await noteTakenUp(kube, read.capp, cluster))) return { taken: false };
    await kube.create(MANIFEST_WORK, strayWork(ref, identityOf(claim, cluster, null)));
    return { taken: true };
  } catch (error) {
    if (isAlreadyExists(error)) return { taken: false };
    throw error;
  }
}
