// Deletes a work together with what it brought to its cluster, but never with the Namespace; or orphans all
// of it.
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
import { isDone, type ManifestStatus } from './applied.ts';
import { removeAsSeen, type RemovalAsSeen } from './as-seen.ts';
import { lossOf } from './reach.ts';
import { sparingNamespace } from '../ship/render/work.ts';
import { HUB_TIMES } from '../times.ts';

/** The name of our guard policy in refusals by a site's API server (deploy/helm/templates/_guard.tpl). */
const REFUSED_BY_POLICY = "ValidatingAdmissionPolicy 'cappstan-";

/** `Pending`: it has to be repeated. `Gone`: it was not there. */
export type Removal = RemovalAsSeen | 'Pending';

export interface HowToRemove {
  /** Whether a work that was written since it was given may go nevertheless; without it, it may. */
  readonly isAsSeen?: (live: KubeObject) => boolean;
}

/**
 * Deletes a work unless its deletion has begun. The uid keeps a successor safe. A work in the Go operator's
 * form would delete its Namespace too, so it is changed first, and deleted when its cluster has applied that.
 */
export async function removeWork(
  kube: Kube,
  work: KubeObject,
  { isAsSeen }: HowToRemove = {},
): Promise<Removal> {
  if (work.metadata.deletionTimestamp !== undefined) return 'Begun';
  const { labels = {}, annotations = {} } = work.metadata;
  if (isYoung(work) && !(await isTakenUp(kube, work))) return 'Pending';
  const isForeign = labels[CAPP_KEY] === undefined || annotations[TAKEN_OVER] !== undefined;
  if (isForeign && !(await sparesNamespace(kube, work))) return 'Pending';
  if (isAsSeen !== undefined) return removeAsSeen(kube, MANIFEST_WORK, work, isAsSeen);
  return (await deleteWork(kube, work)) ? 'Begun' : 'Gone';
}

function isYoung({ metadata: { creationTimestamp } }: KubeObject): boolean {
  return (
    creationTimestamp !== undefined && Date.now() - Date.parse(creationTimestamp) < HUB_TIMES.workAgent.ms
  );
}

/** Its work agent has reported on it, or no work agent can be applying it. */
async function isTakenUp(kube: Kube, work: KubeObject | ManifestWork): Promise<boolean> {
  const { namespace = '', name } = work.metadata;
  // Of some works only the metadata was read.
  const live = 'spec' in work ? work : await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
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

/** Cappstan created it, so it never owned its Namespace. */
function isMade({ metadata: { annotations = {} } }: ManifestWork, capp: Manifest): boolean {
  return annotations[TAKEN_OVER] === undefined && capp.metadata.annotations?.[ROLLOUT] !== undefined;
}

/** What the site's own policies refuse belongs to neither work, now or later. */
function isAllowed({ conditions = [] }: ManifestStatus): boolean {
  return conditions.every(({ message = '' }) => !message.includes(REFUSED_BY_POLICY));
}

/**
 * Removes the second of a Capp's two works on one cluster, step by step, without what it brought there: that
 * belongs to the other now. Takes both as they were just read, and is repeated until only one is left.
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

/**
 * Deletes a work without confirmation by its cluster: what it brought there may go on running. Safe to
 * repeat.
 */
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
): Promise<boolean> {
  return kube.remove(MANIFEST_WORK, { namespace, name }, uid === undefined ? {} : { uid });
}
