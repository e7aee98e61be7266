// A Bundle that is on sites and cannot be shipped as it is now, such as one with a file that nobody can read:
// what runs goes on and is told of, no site gets anything, and sites that are no longer selected are left.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Strategy } from '../../../crds/rollout/stages.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import type { Rolling } from '../rollout/kind.ts';
import type { HubCaches } from '../caches.ts';
import { removeReleased } from './carry-out.ts';
import { isSameBundle } from './manifests/load.ts';
import type { Refusal } from './manifests/manifests.ts';
import type { BundleMember } from './members.ts';
import { sightOf } from './sight.ts';
import type { BundleSite, SelectRules } from './sites.ts';
import type { BundleWork } from './status/seen.ts';
import { unshippableTold } from './status/told.ts';

export interface UnshippableBundle {
  readonly kube: Kube;
  readonly parts: SelectRules & { readonly caches: Pick<HubCaches, 'bundleWorks'> };
  /** With all defaults. */
  readonly bundle: Bundle & { readonly spec: { readonly paused: boolean } };
  readonly strategy: Strategy;
  readonly works: readonly BundleWork[];
  /** How far it had come. */
  readonly rollout: Rollout;
  readonly refusal: Refusal;
}

/** Its rollout stands where it is: which revision comes next is known once the Bundle can be shipped. */
export function unshippable(
  { kube, parts, bundle, strategy, works, rollout, refusal }: UnshippableBundle,
  standing: (kube: Kube, bundle: Bundle, refused: Refused, now: number) => Promise<Refused>,
): Rolling<Bundle, BundleWork, BundleMember, BundleSite> {
  const rendered = { revision: rollout.revision, content: null };
  return {
    object: bundle,
    revision: rollout.revision,
    sight: { ...sightOf(parts, { bundle, strategy, rendered, works }), isStandingStill: true },
    wholeNames: async () => [],
    keep: async () => undefined,
    standing: (refused, now) => standing(kube, bundle, refused, now),
    generationOf: ({ work }) => work?.metadata.generation ?? null,
    ship: async () => new Map(),
    remove: (object, look) =>
      removeReleased(
        { kube, caches: parts.caches, bundle: object, isStill: () => isSameBundle(kube, object) },
        look,
      ),
    tell: (object, outcome, now) => unshippableTold(object, { ...outcome, strategy }, refusal, now),
    wakes: () => [],
  };
}

type Refused = Parameters<Rolling<Bundle, BundleWork, BundleMember, BundleSite>['standing']>[0];
