// What a Bundle does before it leaves a site where its objects are to stay: a site goes by what the work said
// when its work agent last applied it, so a work from before `onRemoval: Orphan` is told that first.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import type { HubCaches } from '../caches.ts';
import { isDoneWhole } from '../retire/applied.ts';
import { isReachableIn } from '../retire/reach.ts';
import { emit } from '../status/events.ts';
import type { LetsGo } from './owners/leaving.ts';
import { isOrphaned, type BundleWork } from './status/seen.ts';

/**
 * What must come of a work before it may be deleted, since its site would delete what it has brought there.
 * It writes what the site has to know, and waits until it has applied all of that: what it may not apply, or
 * conflicts about, it still owns. A site that cannot be reached is not waited for. A repeat writes nothing.
 * Throws ApiError: a Conflict if somebody has changed the work. `bundle` is null if it is gone: then nobody
 * knows what it asked for last.
 */
export function stayingUntilOrphaned(
  kube: Kube,
  caches: Pick<HubCaches, 'clusters'>,
  bundle: Bundle | null,
): LetsGo {
  return async (work) => {
    if (bundle?.spec.onRemoval !== 'Orphan') return 'Nothing';
    if (!isReachableIn(caches, work.metadata.namespace ?? '')) return 'Nothing';
    const live = await kube.get<ManifestWork>(MANIFEST_WORK, keyOf(work));
    if (live === null || live.metadata.deletionTimestamp !== undefined) return 'Nothing';
    if (live.metadata.uid !== work.metadata.uid) return 'Nothing';
    if (isOrphaned(live)) return isDoneWhole(live) ? 'Nothing' : 'Unanswered';
    const { uid, resourceVersion } = live.metadata;
    const deleteOption = { propagationPolicy: 'Orphan', selectivelyOrphans: null };
    await kube.patch(MANIFEST_WORK, keyOf(live), {
      metadata: { uid, resourceVersion },
      spec: { deleteOption },
    });
    return 'Told';
  };
}

/**
 * Of a work that is about to go: says which site keeps what is there although the Bundle asks for its removal
 * by now, since the site still knows `Orphan`. Said before, so that it is not lost with this process, and
 * once of each work.
 */
export function sayingWhatStays(
  kube: Kube,
  caches: Pick<HubCaches, 'bundleWorks'>,
  bundle: Bundle | null,
): (work: KubeObject) => Promise<void> {
  return async (work) => {
    if (bundle === null || bundle.spec.onRemoval === 'Orphan') return;
    const { namespace: cluster = '', name, uid = '' } = work.metadata;
    const known = caches.bundleWorks.get({ namespace: cluster, name });
    if (known?.metadata.uid !== uid || known.seen.orphans === undefined) return;
    const note = `${cluster} keeps what this Bundle has brought there when ManifestWork ${cluster}/${name} goes: spec.onRemoval is no longer Orphan, and the site was not told before it was left. Delete there by hand what is not to stay, or select the site again, and leave it when the Bundle is Ready there.`;
    await emit(kube, bundle, { type: 'Warning', reason: 'StaysOnSite', note, occasion: uid });
  };
}

/**
 * What a work waits for as the caches know it, before its site is told or asked: `Untold` if the site has to
 * be told; null if nothing is waited for.
 */
export function awaitedOn(
  caches: Pick<HubCaches, 'clusters'>,
  bundle: Bundle | null,
  { metadata: { namespace = '' }, seen }: Pick<BundleWork, 'metadata' | 'seen'>,
): 'Untold' | 'Unanswered' | null {
  if (bundle?.spec.onRemoval !== 'Orphan' || !isReachableIn(caches, namespace)) return null;
  if (seen.orphans === undefined) return 'Untold';
  return seen.orphans ? null : 'Unanswered';
}

/** Whether a site was told, as the caches know it, and has not answered. */
export function isUnansweredIn(
  caches: Pick<HubCaches, 'bundleWorks' | 'clusters'>,
  bundle: Bundle | null,
): (work: KubeObject) => boolean {
  return ({ metadata: { namespace = '', name, uid } }) => {
    const known = caches.bundleWorks.get({ namespace, name });
    return (
      known?.metadata.uid === uid && known !== undefined && awaitedOn(caches, bundle, known) === 'Unanswered'
    );
  };
}
