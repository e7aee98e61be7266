// An object that is on sites and cannot be shipped as it is now, such as one with a file or a field that
// nobody can read: what runs goes on and is told of, no site gets anything, and sites that are no longer
// selected are left. Pure.
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import type { Rolling, RolloutRefusal } from './kind.ts';
import type { RolloutMember } from './look.ts';
import { approvalHeld, type SteeredObject } from './requests.ts';

/** What still counts of such an object. */
export type StillRolling<O, C, M extends RolloutMember, B> = Pick<
  Rolling<O, C, M, B>,
  'object' | 'sight' | 'standing' | 'generationOf' | 'remove' | 'tell'
>;

export interface RefusedRollout<C> {
  readonly refusal: RolloutRefusal;
  /** `rollout`: how far it had come; null if it never began. */
  readonly memory: Pick<RolloutMemory, 'rollout' | 'handled'>;
  readonly copies: readonly C[];
}

/**
 * Its rollout stands where it is: which revision comes next is known once the object can be shipped. One that
 * is on no site is only told why. What a person has approved meanwhile, and nobody can judge, is told of.
 */
export function unshippable<O, C, M extends RolloutMember, B>(
  object: SteeredObject,
  { refusal, memory, copies }: RefusedRollout<C>,
  standing: (rollout: Rollout, told: RolloutRefusal) => StillRolling<O, C, M, B>,
): Rolling<O, C, M, B> | RolloutRefusal {
  const { rollout } = memory;
  if (rollout === null || copies.length === 0) return refusal;
  const stage = approvalHeld(object, { ...memory, rollout });
  const held =
    stage === null
      ? ''
      : ` The approval of stage ${stage} has not counted yet: it does when the strategy can be read.`;
  const { sight, ...given } = standing(rollout, { ...refusal, message: `${refusal.message}${held}` });
  return {
    ...given,
    revision: rollout.revision,
    sight: { ...sight, isStandingStill: true },
    wholeNames: async () => [],
    keep: async () => undefined,
    ship: async () => new Map(),
    wakes: () => [],
  };
}
