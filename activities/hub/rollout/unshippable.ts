// An object that is on sites and cannot be shipped as it is now, such as one with a file or a field that
// nobody can read: what runs goes on and is told of, no site gets anything, and sites that are no longer
// selected are left. Pure.
import { Strategy } from '../../../crds/rollout/stages.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import type { Rolling, RolloutRefusal } from './kind.ts';
import type { RolloutMember } from './look.ts';

/** What still counts of such an object. */
export type StillRolling<O, C, M extends RolloutMember, B> = Pick<
  Rolling<O, C, M, B>,
  'object' | 'sight' | 'standing' | 'generationOf' | 'remove' | 'tell'
>;

export interface RefusedRollout<C> {
  readonly refusal: RolloutRefusal;
  /** How far it had come; null if it never began. */
  readonly rollout: Rollout | null;
  readonly copies: readonly C[];
}

/**
 * Its rollout stands where it is: which revision comes next is known once the object can be shipped. One that
 * is on no site is only told why.
 */
export function unshippable<O, C, M extends RolloutMember, B>(
  { refusal, rollout, copies }: RefusedRollout<C>,
  standing: (rollout: Rollout) => StillRolling<O, C, M, B>,
): Rolling<O, C, M, B> | RolloutRefusal {
  if (rollout === null || copies.length === 0) return refusal;
  const { sight, ...given } = standing(rollout);
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

/** In place of a strategy that cannot be read: no site changes, so only its patience counts. */
export const USUAL_STRATEGY: Strategy = Strategy.parse({});
