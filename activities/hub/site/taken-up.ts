// Which sites have a work only because they said that they have a copy. The note stands on the Capp: a site
// may write everything of its works but their names.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { TAKEN_UP } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf } from '../../../kube/resource.ts';
import { recordedSite } from '../claim.ts';

/** Sites that may be noted of one Capp. */
const MOST = 20;

/**
 * Notes the cluster on the Capp, before a work is made there. False if so many are noted that no further one
 * is. A repeat writes nothing. Throws ApiError: Conflict if the Capp has changed since it was read.
 */
export async function noteTakenUp(kube: Kube, capp: Capp, cluster: string): Promise<boolean> {
  const noted = notedOn(capp);
  if (noted.includes(cluster)) return true;
  if (noted.length >= MOST) return false;
  const { uid, resourceVersion } = capp.metadata;
  const annotations = { [TAKEN_UP]: [...noted, cluster].join(',') };
  await kube.patch<Capp>(CAPP, keyOf(capp), { metadata: { uid, resourceVersion, annotations } });
  return true;
}

/**
 * A deletion waits for no work on this cluster: the site made the hub know of a copy, and could hold the Capp
 * by never confirming that it is gone. Of the site where the hub itself has the Capp this is never said,
 * whatever the annotation says.
 */
export function isOnlyTakenUp(capp: Capp, cluster: string): boolean {
  return notedOn(capp).includes(cluster) && recordedSite(capp) !== cluster;
}

/**
 * The Capp without that note of a cluster, before it is shipped there: from then on a deletion waits for that
 * site. Throws ApiError: Conflict if the Capp has changed since it was read.
 */
export async function unnoted(kube: Kube, capp: Capp, cluster: string): Promise<Capp> {
  const noted = notedOn(capp);
  if (!noted.includes(cluster)) return capp;
  const { uid, resourceVersion } = capp.metadata;
  const left = noted.filter((one) => one !== cluster);
  const annotations = { [TAKEN_UP]: left.length === 0 ? null : left.join(',') };
  return kube.patch<Capp>(CAPP, keyOf(capp), { metadata: { uid, resourceVersion, annotations } });
}

function notedOn({ metadata: { annotations = {} } }: Capp): readonly string[] {
  return (annotations[TAKEN_UP] ?? '').split(',').filter((one) => one !== '');
}
