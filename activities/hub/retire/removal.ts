// How a work goes: with what it has brought to its cluster, but never with the Namespace, in which others live; or without all of it.
import { ADOPTED, CAPP_KEY, ROLLOUT } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isNotFound } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { cappIn } from '../claim.ts';
import { lossOf } from './reach.ts';
import { sparingNamespace } from '../ship/render/work.ts';

/**
 * So long after it was made, in milliseconds, a work waits for its agent's first word. OCM's work agent applies and cleans up side by side: of a work
 * that goes while it is applied for the first time the one leaves what the other is just making, and nobody counts it (seen with 1.2.1).
 */
const YOUNG_MS = 30_000;

/**
 * Deletes a work unless it is going already. The uid keeps a successor safe. One that is as the Go operator shipped it would take its Namespace
 * along: it is told not to, and goes when its cluster has heard that, so this may have to be repeated. Whether it is going now.
 */
export async function removeWork(kube: Kube, work: KubeObject): Promise<boolean> {
  if (work.metadata.deletionTimestamp !== undefined) return true;
  const { labels = {}, annotations = {} } = work.metadata;
  if (isYoung(work) && !(await isTakenUp(kube, work))) return false;
  const isForeign = labels[CAPP_KEY] === undefined || annotations[ADOPTED] !== undefined;
  if (isForeign && !(await sparesNamespace(kube, work))) return false;
  await deleteWork(kube, work);
  return true;
}

function isYoung({ metadata: { creationTimestamp } }: KubeObject): boolean {
  return creationTimestamp !== undefined && Date.now() - Date.parse(creationTimestamp) < YOUNG_MS;
}

/** Its agent has spoken of it, or there is none that could be at it. */
async function isTakenUp(kube: Kube, { metadata: { namespace = '', name } }: KubeObject): Promise<boolean> {
  const live = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  if (live === null || live.status?.conditions?.some(({ type }) => type === 'Applied') === true) return true;
  return lossOf(await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: namespace })) !== null;
}

async function sparesNamespace(kube: Kube, { metadata: { namespace = '', name, uid } }: KubeObject): Promise<boolean> {
  const live = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  const capp = live === null || live.metadata.uid !== uid ? null : cappIn(live);
  if (live === null || capp === null || capp.metadata.annotations?.[ROLLOUT] !== undefined) return true;
  const { propagationPolicy = 'Foreground' } = live.spec?.deleteOption ?? {};
  if (propagationPolicy !== 'Foreground') return isHeard(live);
  const { resourceVersion } = live.metadata;
  const spec = sparingNamespace(capp.metadata.namespace ?? '');
  await kube.patch(MANIFEST_WORK, { namespace, name }, { metadata: { uid, resourceVersion }, spec });
  return false;
}

/** Its cluster's work agent has looked at the work as it is now. */
function isHeard({ metadata, status }: ManifestWork): boolean {
  return status?.conditions?.find(({ type }) => type === 'Applied')?.observedGeneration === metadata.generation;
}

/**
 * Of two works of a Capp on one cluster lets the second go, step by step, without what it has brought there: that is the other's now. Takes both as
 * they were just read, and is to be repeated until only one is left.
 */
export async function fold(kube: Kube, staying: ManifestWork, second: ManifestWork): Promise<void> {
  const { namespace = '', name, uid, resourceVersion, deletionTimestamp } = second.metadata;
  if (deletionTimestamp !== undefined) return;
  if (second.spec?.deleteOption?.propagationPolicy !== 'Orphan') {
    const deleteOption = { propagationPolicy: 'Orphan', selectivelyOrphans: null };
    await kube.patch(MANIFEST_WORK, { namespace, name }, { metadata: { uid, resourceVersion }, spec: { deleteOption } });
    return;
  }
  if (isHeard(second) && isHeard(staying)) await deleteWork(kube, second);
}

/** Takes a work away without its cluster's word: what it brought there may go on running. Safe to repeat. */
export async function dropWork(kube: Kube, work: KubeObject): Promise<void> {
  if (work.metadata.deletionTimestamp === undefined) await deleteWork(kube, work);
  const { name, namespace = '', uid } = work.metadata;
  await kube.patch(MANIFEST_WORK, { namespace, name }, { metadata: { uid, finalizers: null } }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function deleteWork(kube: Kube, { metadata: { name, namespace = '', uid } }: KubeObject): Promise<void> {
  await kube.remove(MANIFEST_WORK, { namespace, name }, uid === undefined ? {} : { uid });
}
