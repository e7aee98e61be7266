// What a set brings that is on sites and cannot be read as it is now, such as one that was stored before a
// rule (`rollout/unshippable.ts`).
import type { Capp } from '../../../crds/capp/capp.ts';
import { CappSetSpec, type CappSet } from '../../../crds/set/cappset.ts';
import { fieldsOf } from '../../../workflows/parse/fields.ts';
import type { Rolling, RolloutRefusal } from '../rollout/kind.ts';
import { USUAL_STRATEGY } from '../rollout/usual-strategy.ts';
import { unshippable, type RefusedRollout } from '../rollout/unshippable.ts';
import type { Kube } from '../../../kube/client.ts';
import { removeReleased } from './carry-out.ts';
import type { ExcludedSite, SelectOptions } from './selected.ts';
import { unshippableTold } from './set-status.ts';
import { sightWith, type SetToLookAt } from './sight.ts';
import type { SetMember } from './targets.ts';
import { asWritten } from './wanted.ts';

type SetRolling = Rolling<CappSet, Capp, SetMember, ExcludedSite>;

export interface UnshippableSet {
  readonly kube: Kube;
  readonly options: SelectOptions;
  readonly set: CappSet;
}

export function unshippableSet(
  { kube, options, set: found }: UnshippableSet,
  refused: RefusedRollout<Capp>,
): SetRolling | RolloutRefusal {
  const set: CappSet = { ...found, spec: readable(found.spec) };
  return unshippable(set, refused, (_rollout, told) => ({
    object: set,
    sight: sightWith(options, set, refused.copies, asWritten),
    standing: async (still) => still,
    generationOf: ({ child }) => child?.metadata.generation ?? null,
    remove: (_object, look) => removeReleased(kube, look),
    tell: (object, outcome, now) => unshippableTold(object, outcome, told, now),
  }));
}

type ReadableSpec = SetToLookAt['spec'] & Pick<CappSet['spec'], 'paused' | 'template'>;

const Selection = CappSetSpec.pick({ placement: true, sites: true });
const { strategy: STRATEGY, whenUnselected: WHEN_UNSELECTED, paused: PAUSED } = CappSetSpec.shape;

/**
 * What can be read of a spec, part by part. What cannot is taken for what removes no Capp: unknown sites
 * count as those of a Placement that does not exist. The template is as it stands, and nobody looks into it.
 */
function readable(spec: CappSet['spec']): ReadableSpec {
  const { strategy, whenUnselected, paused } = fieldsOf(spec) ?? {};
  return {
    template: spec.template,
    ...Selection.safeParse(spec).data,
    strategy: STRATEGY.safeParse(strategy).data ?? USUAL_STRATEGY,
    whenUnselected: WHEN_UNSELECTED.safeParse(whenUnselected).data ?? 'Keep',
    paused: PAUSED.safeParse(paused).data ?? true,
  };
}
