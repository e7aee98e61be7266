// What a CappSet or a Bundle has brought about on the hub: the Capps of the one, the works of the other.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { BUNDLE_KEY, SET } from '../../../crds/labels.ts';
import { bundleKey, isWorkOfBundle } from '../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { setOf } from '../../../crds/set/child.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { ifAllowed } from './if-any.ts';
import { keptWork } from './kept-work.ts';

/** Throws ApiError. */
export async function cappsOfSet({ kube }: ConnectedHub, { metadata }: CappSet): Promise<Capp[]> {
  const { namespace = '', name, uid } = metadata;
  const { items } = await kube.list<Capp & KubeObject>(CAPP, { namespace, labelSelector: `${SET}=${name}` });
  return items.filter((capp) => setOf(capp) === `${namespace}/${uid}`);
}

/** Of all sites; null if the person may not read works. Throws ApiError. */
export async function worksOfBundle(
  { kube }: ConnectedHub,
  { metadata }: Bundle,
): Promise<ManifestWork[] | null> {
  const { namespace = '', name } = metadata;
  const bundle = { namespace, name };
  const labelSelector = `${BUNDLE_KEY}=${bundleKey(bundle)}`;
  const found = await ifAllowed(
    kube.list<ManifestWork & KubeObject>(MANIFEST_WORK, { labelSelector, keep: keptWork }),
  );
  return found?.items.filter((work) => isWorkOfBundle(work, bundle)) ?? null;
}
