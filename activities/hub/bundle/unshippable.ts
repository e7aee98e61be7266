// What a Bundle brings that is on sites and cannot be shipped as it is now, such as one with a file that
// nobody can read (`rollout/unshippable.ts`).
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Strategy } from '../../../crds/rollout/stages.ts';
import type { Kube } from '../../../kube/client.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import type { HubCaches } from '../caches.ts';
import type { Rolling, RolloutRefusal } from '../rollout/kind.ts';
import { unshippable } from '../rollout/unshippable.ts';
import { removeReleased } from './carry-out.ts';
import { isSameBundle } from './manifests/load.ts';
import { removeEnded, withChecks } from './checks/carry-out.ts';
import type { BundleMember } from './members.ts';
import { sightOf } from './sight.ts';
import type { BundleSite, SelectRules } from './sites.ts';
import type { BundleWork } from './status/seen.ts';
import { unshippableTold } from './status/told.ts';

type BundleRolling = Rolling<Bundle, BundleWork, BundleMember, BundleSite>;

export interface UnshippableBundle extends Pick<BundleRolling, 'standing'> {
  readonly kube: Kube;
  readonly parts: SelectRules & { readonly caches: Pick<HubCaches, 'bundleWorks' | 'works'> };
  /** With all defaults. */
  readonly bundle: BundleRolling['object'];
  readonly strategy: Strategy;
  readonly works: readonly BundleWork[];
  /** `rollout`: how far it had come; null if it never began. */
  readonly memory: Pick<RolloutMemory, 'rollout' | 'handled'>;
}

export function unshippableBundle(
  { kube, parts, bundle, strategy, works, memory, standing }: UnshippableBundle,
  refusal: RolloutRefusal,
): BundleRolling | RolloutRefusal {
  return unshippable(bundle, { refusal, memory, copies: works }, ({ revision }, told) => ({
    object: bundle,
    sight: sightOf(parts, { bundle, strategy, rendered: { revision, content: null }, works }),
    standing,
    generationOf: ({ work }) => work?.metadata.generation ?? null,
    remove: async (object, look) => {
      const leaving = { caches: parts.caches, bundle: object, isStill: () => isSameBundle(kube, object) };
      const removed = await removeReleased({ kube, ...leaving }, look);
      return withChecks(removed, await removeEnded(kube, parts.caches, object, look));
    },
    tell: (object, outcome, now) => unshippableTold(object, { ...outcome, strategy }, told, now),
  }));
}
