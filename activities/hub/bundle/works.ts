// The works of a Bundle, found by their exact name: a site may take the labels off a work, but it cannot
// rename it.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { BUNDLE_KEY, CHECKS_OF } from '../../../crds/labels.ts';
import { bundleWorkName, isWorkOfBundle } from '../../../crds/ocm/bundle-work.ts';
import { checkWorkName, isCheckOf } from '../../../crds/ocm/check-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf, keyText, keyTextOf, type KubeObject } from '../../../kube/resource.ts';
import { isAtLeast } from '../../../kube/watch/cache.ts';
import type { HubCaches } from '../caches.ts';
import { holdsInTime } from '../place/caught-up.ts';
import { labelsOf } from './manifests/render.ts';
import { seenWork, type BundleWork } from './status/seen.ts';

export interface BundleName {
  readonly namespace: string;
  readonly name: string;
}

export type WorkCaches = Pick<HubCaches, 'bundleWorks' | 'checkWorks' | 'works'>;

/**
 * Resolves with true as soon as the caches of works with our labels show of this Bundle what the cache of all
 * works has shown when this was asked, and with false if they do not in time. What changes meanwhile rings
 * again. No version tells: a watch of few works hears nothing, and has an old one, while others change.
 */
export async function showTheSame(caches: WorkCaches, ref: BundleName): Promise<boolean> {
  const { works, bundleWorks, checkWorks } = caches;
  const key = keyText(ref);
  const shownNow = [
    seenOf(works, { cache: bundleWorks, index: 'bundle', key, label: BUNDLE_KEY }),
    seenOf(works, { cache: checkWorks, index: 'checks', key, label: CHECKS_OF }),
  ];
  return holdsInTime([bundleWorks, checkWorks], () => shownNow.every((isSo) => isSo()));
}

interface FewWorks {
  readonly cache: WorkCaches['bundleWorks'];
  readonly index: 'bundle' | 'checks';
  readonly key: string;
  /** Of the works in this cache. */
  readonly label: string;
}

/** Whether the cache shows what is known now, and no more what is gone now. */
function seenOf(works: WorkCaches['works'], { cache, index, key, label }: FewWorks): () => boolean {
  const known = works.by(index, key);
  const names = new Set(known.map(keyTextOf));
  const gone = cache
    .by(index, key)
    .filter((work) => !names.has(keyTextOf(work)) && works.caughtUpWith(versionOf(work)));
  return () => {
    const shown = new Map(cache.by(index, key).map((work) => [keyTextOf(work), versionOf(work)]));
    const isShown = (work: KubeObject): boolean => {
      const version = shown.get(keyTextOf(work));
      if (version !== undefined) return isAtLeast(version, versionOf(work));
      return work.metadata.labels?.[label] === undefined || cache.caughtUpWith(versionOf(work));
    };
    return known.every(isShown) && gone.every((work) => shown.get(keyTextOf(work)) !== versionOf(work));
  };
}

function versionOf({ metadata: { resourceVersion = '' } }: KubeObject): string {
  return resourceVersion;
}

/** As the caches have them; that of works with our label lacks those which have lost it. */
export async function cachedWorks(
  kube: Kube,
  { bundleWorks, works }: Pick<WorkCaches, 'bundleWorks' | 'works'>,
  ref: BundleName,
): Promise<BundleWork[]> {
  const key = keyText(ref);
  const isOwn = (work: KubeObject): boolean => isWorkOfBundle(work, ref);
  const marked = bundleWorks.by('bundle', key).filter(isOwn);
  const known = new Set(marked.map(({ metadata }) => metadata.namespace));
  const others = works.by('bundle', key).filter((work) => isOwn(work) && !known.has(work.metadata.namespace));
  const read = await Promise.all(others.map((work) => kube.get<LiveWork>(MANIFEST_WORK, keyOf(work))));
  return [
    ...marked,
    ...read
      .filter((work) => work !== null)
      .filter(isOwn)
      .map(seenWork),
  ];
}

type LiveWork = BundleWork & ManifestWork;

export async function liveWorks(kube: Kube, ref: BundleName): Promise<BundleWork[]> {
  const { items } = await kube.list<LiveWork>(MANIFEST_WORK, named(bundleWorkName(ref)));
  return items.filter((work) => isWorkOfBundle(work, ref)).map(seenWork);
}

/** The same without what they carry, and with the works whose Jobs check them. */
export async function liveMetadata(kube: Kube, ref: BundleName): Promise<KubeObject[]> {
  const [own, checks] = await Promise.all(
    [bundleWorkName(ref), checkWorkName(ref)].map((name) =>
      kube.list<KubeObject>(MANIFEST_WORK, { ...named(name), metadataOnly: true }),
    ),
  );
  return [
    ...(own?.items ?? []).filter((work) => isWorkOfBundle(work, ref)),
    ...(checks?.items ?? []).filter((work) => isCheckOf(work, ref)),
  ];
}

function named(name: string): { readonly fieldSelector: string } {
  return { fieldSelector: `metadata.name=${name}` };
}

/** Works in one turn. */
const MOST_MENDED = 50;

/**
 * Works that have lost our label get our labels again, and nothing else of them changes. Throws a Conflict.
 */
export async function mendLabels(kube: Kube, bundle: Bundle, works: readonly BundleWork[]): Promise<void> {
  const labels = labelsOf(bundle);
  const bare = works.filter(
    ({ metadata }) =>
      metadata.deletionTimestamp === undefined && metadata.labels?.[BUNDLE_KEY] !== labels[BUNDLE_KEY],
  );
  await Promise.all(
    bare.slice(0, MOST_MENDED).map((work) => {
      const { uid, resourceVersion } = work.metadata;
      return kube.patch(MANIFEST_WORK, keyOf(work), { metadata: { uid, resourceVersion, labels } });
    }),
  );
}
