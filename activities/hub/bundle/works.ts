// The works of a Bundle, found by their exact name: a site may take the labels off a work, but it cannot
// rename it.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { BUNDLE_KEY } from '../../../crds/labels.ts';
import { bundleWorkName, isWorkOfBundle } from '../../../crds/ocm/bundle-work.ts';
import { checkWorkName, isCheckOf } from '../../../crds/ocm/check-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf, keyText, type KubeObject } from '../../../kube/resource.ts';
import type { HubCaches } from '../caches.ts';
import { labelsOf } from './manifests/render.ts';
import { seenWork, type BundleWork } from './status/seen.ts';

export interface BundleName {
  readonly namespace: string;
  readonly name: string;
}

export type WorkCaches = Pick<HubCaches, 'bundleWorks' | 'checkWorks' | 'works'>;

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
