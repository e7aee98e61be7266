// Before a Bundle that is being deleted leaves a site, it lets go of what another Bundle keeps there: nobody
// could do so for it afterwards.
import { isDeepStrictEqual } from 'node:util';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, type KubeObject } from '../../../../kube/resource.ts';
import type { HubCaches } from '../../caches.ts';
import { isReachableIn } from '../../retire/reach.ts';
import { objectHashOf } from './held.ts';
import { heirsOf } from './heirs.ts';
import { withPartings } from './parting.ts';
import type { BundleName } from '../works.ts';

/** What a work waits for before it may go: its site has been `Told` just now, or before; or nothing. */
export type AwaitedAnswer = 'Told' | 'Unanswered' | 'Nothing';

/**
 * Says whether a work has still something to let go of, and writes what it lets go of. A site that cannot be
 * reached is not waited for. A repeat writes nothing. Throws ApiError: a Conflict if somebody has changed the
 * work.
 */
export type LetsGo = (work: KubeObject) => Promise<AwaitedAnswer>;

export function lettingGo(
  kube: Kube,
  caches: Pick<HubCaches, 'bundleWorks' | 'clusters'>,
  ref: BundleName,
): LetsGo {
  const hasHeir = heirsOf(caches, ref);
  return async (work) => {
    const { namespace: cluster = '', name } = work.metadata;
    const held = caches.bundleWorks.get({ namespace: cluster, name })?.seen.held.objects ?? '';
    const shared = new Set(held.split(' ').filter((hash) => hash !== '' && hasHeir(cluster, hash)));
    if (shared.size === 0 || !isReachableIn(caches, cluster)) return 'Nothing';
    const live = await kube.get<ManifestWork>(MANIFEST_WORK, keyOf(work));
    if (live === null || live.metadata.deletionTimestamp !== undefined) return 'Nothing';
    const own = without(live, shared);
    const wanted = withPartings(live, own, (hash) => shared.has(hash));
    if (wanted === own) return 'Nothing';
    const { workload, manifestConfigs } = wanted.spec ?? { workload: {} };
    if (isDeepStrictEqual(workload, live.spec?.workload)) return 'Unanswered';
    const { uid, resourceVersion } = live.metadata;
    const patch = { metadata: { uid, resourceVersion }, spec: { workload, manifestConfigs } };
    await kube.patch<ManifestWork>(MANIFEST_WORK, keyOf(work), patch);
    return 'Told';
  };
}

/** Configs stand in the order of the manifests. */
function without(work: ManifestWork, hashes: ReadonlySet<string>): ManifestWork {
  const { workload = {}, manifestConfigs = [], ...rest } = work.spec ?? {};
  const stays = manifestConfigs.map(
    ({ resourceIdentifier }) => !hashes.has(objectHashOf(resourceIdentifier)),
  );
  const kept = <T>(all: readonly T[]): T[] => all.filter((_one, index) => stays[index] !== false);
  const manifests = kept(workload.manifests ?? []);
  const spec = { ...rest, workload: { ...workload, manifests }, manifestConfigs: kept(manifestConfigs) };
  return { ...work, spec };
}
