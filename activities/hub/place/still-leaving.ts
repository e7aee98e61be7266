// An earlier copy that is being removed keeps its Capp from a cluster, and the end of its work rings. That
// ring may have reached the workflow of an earlier Capp of this name, before this one began: so before a Capp
// waits for such an end, what the cache says is checked live.
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Choice } from '../../../workflows/ports/choice.ts';
import { isLeaving } from './remembered.ts';

/** Nothing was chosen, and a cluster was left out because an earlier copy is being removed there. */
export function waitsForRemoval(choice: Choice): boolean {
  if (choice.outcome !== 'None') return false;
  const { reason, record } = choice;
  return reason === 'StillLeaving' || record.excluded.some((one) => one.reason === 'StillLeaving');
}

/**
 * The works, those that are being deleted as they are now, and without those that are gone. Throws ApiError.
 */
export async function stillThere(
  kube: Pick<Kube, 'get'>,
  works: readonly KubeObject[],
): Promise<KubeObject[]> {
  const read = await Promise.all(works.filter(isLeaving).map((work) => readAgain(kube, work)));
  return [...works.filter((work) => !isLeaving(work)), ...read.filter((work) => work !== null)];
}

async function readAgain(kube: Pick<Kube, 'get'>, { metadata }: KubeObject): Promise<KubeObject | null> {
  const { namespace = '', name } = metadata;
  return kube.get(MANIFEST_WORK, { namespace, name });
}
