// Keeps what a Bundle shipped with each revision, so that a rollout can go back to one of them. ConfigMaps
// and Secrets are named there and not copied: a revision that reads another version of one is another
// revision.
import { isDeepStrictEqual } from 'node:util';
import { BUNDLE, type Bundle, type BundlePattern } from '../../../crds/bundle/bundle.ts';
import {
  BUNDLE_REVISION_KIND,
  BUNDLE_REVISIONS_KEPT,
  bundleRevisionNames,
  patternOf,
  type BundleRevision,
} from '../../../crds/bundle/bundle-revision.ts';
import { BUNDLE_KEY } from '../../../crds/labels.ts';
import { bundleKey } from '../../../crds/ocm/bundle-work.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { Kube } from '../../../kube/client.ts';
import { keep, keptOf, type Keeping } from '../rollout/kept.ts';
import { isSecret, load, type Loaded } from './manifests/load.ts';
import type { Refusal } from './manifests/manifests.ts';
import type { HeldBack } from './manifests/sealed-only.ts';
import { render, type Rendered, type Terms } from './manifests/render.ts';

const BUNDLES: Keeping = {
  owner: BUNDLE,
  revisions: BUNDLE_REVISION_KIND,
  most: BUNDLE_REVISIONS_KEPT,
  labels: ({ metadata: { namespace = '', name } }) => ({ [BUNDLE_KEY]: bundleKey({ namespace, name }) }),
  namesOf: bundleRevisionNames,
};

/** A repeat finds it. Throws ApiError. */
export async function keepRevision(
  kube: Kube,
  bundle: Bundle,
  { revision, secrets }: Pick<BundleRevision['spec'], 'revision' | 'secrets'>,
  needed: readonly (string | null)[],
): Promise<void> {
  const spec: BundleRevision['spec'] = { revision, secrets, pattern: patternOf(bundle.spec) };
  await keep(kube, BUNDLES, bundle, { revision, spec, needed });
}

/**
 * The version of Secrets that are among `spec.manifests`: another one only when one of them changes, not with
 * each edit of the Bundle. Empty if there are none. Throws ApiError.
 */
export async function secretsVersion(
  kube: Kube,
  bundle: Bundle,
  known: readonly (string | null)[],
): Promise<string> {
  const secrets = (bundle.spec.manifests ?? []).filter(isSecret);
  if (secrets.length === 0) return '';
  for (const revision of known) {
    const kept = revision === null ? null : await keptOf<BundleRevision>(kube, BUNDLES, bundle, revision);
    const before = (kept?.spec.pattern.manifests ?? []).filter(isSecret);
    if (kept !== null && isDeepStrictEqual(before, secrets)) return kept.spec.secrets;
  }
  const { uid = '', generation = 0 } = bundle.metadata;
  return `${uid}/${generation}`;
}

/** What the Bundle said with that revision; null if it is no longer kept. Throws ApiError. */
export async function keptPattern(
  kube: Pick<Kube, 'get'>,
  bundle: Bundle,
  revision: string,
): Promise<BundlePattern | null> {
  return (await keptOf<BundleRevision>(kube, BUNDLES, bundle, revision))?.spec.pattern ?? null;
}

/** A revision as it can be shipped, and the Bundle as it was with it. */
export interface RestoredRevision {
  readonly bundle: Bundle;
  readonly loaded: Loaded;
  readonly rendered: Rendered;
}

/** By what an earlier revision is rendered, and held back. */
export interface Restoring {
  readonly terms: Terms;
  readonly heldBack: HeldBack;
}

/** An earlier revision; or why it cannot be shipped any more. Throws ApiError. */
export async function restore(
  kube: Kube,
  bundle: Bundle,
  revision: string,
  { terms, heldBack }: Restoring,
): Promise<RestoredRevision | Refusal> {
  const kept = await keptOf<BundleRevision>(kube, BUNDLES, bundle, revision);
  if (kept === null) return gone(`BundleRevision of ${revision} is no longer kept`);
  const { sites, placement, strategy, paused } = bundle.spec;
  const where = {
    ...(sites === undefined ? {} : { sites }),
    ...(placement === undefined ? {} : { placement }),
  };
  const former: Bundle = { ...bundle, spec: { ...where, strategy, paused, ...kept.spec.pattern } };
  const loaded = await load(kube, former, kept.spec.secrets);
  const unlike = ({ message }: Refusal): Refusal =>
    gone(`Revision ${revision} cannot be shipped as it was: ${message}`);
  if ('reason' in loaded) return unlike(loaded);
  const unsealed = heldBack(loaded);
  if (unsealed !== null) return unlike(unsealed);
  const rendered = render(former, loaded.carried, terms);
  if (isSameRevision(rendered.revision, revision)) return { bundle: former, loaded, rendered };
  return gone(
    `A ConfigMap or Secret that revision ${revision} read has changed since, or who applies it on sites`,
  );
}

function gone(why: string): Refusal {
  const message = `${why.replace(/\.$/, '')}. So the site cannot get that revision again. Edit the Bundle.`;
  return { reason: 'RevisionGone', message };
}
