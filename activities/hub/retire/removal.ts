// Deletes a work together with what it has brought to its cluster, but never with the Namespace; or orphans
// all of it.
import { CAPP_KEY, ROLLOUT, TAKEN_OVER } from '../../../crds/labels.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import {
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type Manifest,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isNotFound } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { cappIn } from '../claim.ts';
import { lossOf } from './reach.ts';
import { sparingNamespace } from '../ship/render/work.ts';
import { HUB_TIMES } from '../times.ts';

/**
 * How the API server of a site names our guard there (deploy/helm/templates/_guard.tpl) when that refuses.
 */
const REFUSED_BY_POLICY = "ValidatingAdmissionPolicy 'cappstan-";

type ManifestStatus = NonNullable<
  NonNullable<NonNullable<ManifestWork['status']>['resourceStatus']>['manifests']
>[number];

/**
 * Deletes a work unless it is going already. The uid keeps a successor safe. One that is as the Go operator
 * shipped it would take its Namespace along: it is told not to, and goes when its cluster has heard that, so
 * this may have to be repeated. Whether it is going now.
 */
export async function removeWork(kube: Kube, work: KubeObject): Promise<boolean> {
  if (work.metadata.deletionTimestamp !== undefined) return true;
  const { labels = {}, annotations = {} } = work.metadata;
  if (isYoung(work) && !(await isTakenUp(kube, work))) return false;
  const isForeign = labels[CAPP_KEY] === undefined || annotations[TAKEN_OVER] !== undefined;
  if (isForeign && !(await sparesNamespace(kube, work))) return false;
  await deleteWork(kube, work);
  return true;
}

function isYoung({ metadata: { creationTimestamp } }: KubeObject): boolean {
  return (
    creationTimestamp !== undefined && Date.now() - Date.parse(creationTimestamp) < HUB_TIMES.workAgent.ms
  );
}

/** Its agent has spoken of it, or there is none that could be at it. */
async function isTakenUp(kube: Kube, { metadata: { namespace = '', name } }: KubeObject): Promise<boolean> {
  const live = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  if (live === null || live.status?.conditions?.some(({ type }) => type === 'Applied') === true) return true;
  return (
    lossOf(await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: namespace })) !== null
  );
}

async function sparesNamespace(
  kube: Kube,
  { metadata: { namespace = '', name, uid } }: KubeObject,
): Promise<boolean> {
  const live = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  const capp = live === null || live.metadata.uid !== uid ? null : cappIn(live);
  if (live === null || capp === null || isMade(live, capp)) return true;
  const { propagationPolicy = 'Foreground' } = live.spec?.deleteOption ?? {};
  if (propagationPolicy !== 'Foreground')
    return isDone(live, ({ resourceMeta }) => resourceMeta.kind === NAMESPACE.kind);
  const { resourceVersion } = live.metadata;
  const spec = sparingNamespace(capp.metadata.namespace ?? '');
  await kube.patch(MANIFEST_WORK, { namespace, name }, { metadata: { uid, resourceVersion }, spec });
  return false;
}

/** By us, from the first: its Namespace was never its own. */
function isMade({ metadata: { annotations = {} } }: ManifestWork, capp: Manifest): boolean {
  return annotations[TAKEN_OVER] === undefined && capp.metadata.annotations?.[ROLLOUT] !== undefined;
}

/**
 * Its cluster's work agent has done what the work asks for as it is now, with all that matters of it. That it
 * has looked is not enough: where many works share an object, it gives up after a few conflicts and still
 * owns the object, or does not yet, until it tries again (seen with 1.2.1).
 */
function isDone(
  { metadata: { generation }, status }: ManifestWork,
  matters: (one: ManifestStatus) => boolean,
): boolean {
  const applied = status?.conditions?.find(({ type }) => type === 'Applied');
  if (applied?.observedGeneration !== generation) return false;
  if (applied?.status === 'True') return true;
  const those = (status?.resourceStatus?.manifests ?? []).filter(matters);
  return those.length > 0 && those.every((one) => isApplied(one, generation));
}

function isApplied({ conditions = [] }: ManifestStatus, generation: number | undefined): boolean {
  return conditions.some(
    (one) => one.type === 'Applied' && one.status === 'True' && one.observedGeneration === generation,
  );
}

/** What the site's own policies refuse is neither work's, now or later. */
function isAllowed({ conditions = [] }: ManifestStatus): boolean {
  return conditions.every(({ message = '' }) => !message.includes(REFUSED_BY_POLICY));
}

/**
 * Of two works of a Capp on one cluster lets the second go, step by step, without what it has brought there:
 * that is the other's now. Takes both as they were just read, and is to be repeated until only one is left.
 */
export async function fold(kube: Kube, staying: ManifestWork, second: ManifestWork): Promise<void> {
  const { namespace = '', name, uid, resourceVersion, deletionTimestamp } = second.metadata;
  if (deletionTimestamp !== undefined) return;
  if (second.spec?.deleteOption?.propagationPolicy !== 'Orphan') {
    const deleteOption = { propagationPolicy: 'Orphan', selectivelyOrphans: null };
    await kube.patch(
      MANIFEST_WORK,
      { namespace, name },
      { metadata: { uid, resourceVersion }, spec: { deleteOption } },
    );
    return;
  }
  if (isDone(second, isAllowed) && isDone(staying, isAllowed)) await deleteWork(kube, second);
}

/** Takes a work away without its cluster's word: what it brought there may go on running. Safe to repeat. */
export async function dropWork(kube: Kube, work: KubeObject): Promise<void> {
  if (work.metadata.deletionTimestamp === undefined) await deleteWork(kube, work);
  const { name, namespace = '', uid } = work.metadata;
  await kube
    .patch(MANIFEST_WORK, { namespace, name }, { metadata: { uid, finalizers: null } })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

async function deleteWork(
  kube: Kube,
  { metadata: { name, namespace = '', uid } }: KubeObject,
): Promise<void> {
  await kube.remove(MANIFEST_WORK, { namespace, name }, uid === undefined ? {} : { uid });
}
