// The Capps on a cluster as a drain reads them, and its answers to them.
import type { Place } from './state.ts';

/** A drain's word to one Capp: a permit, or `Leave` to one that has not asked. */
export interface DrainAnswer {
  /** `<namespace>/<name>`. */
  readonly capp: string;
  readonly say: 'Go' | 'Wait' | 'Leave';
}

/** A page of the Capps that have something on a cluster, in the order in which a drain lets them go. */
export interface Residents {
  readonly capps: readonly Resident[];
  readonly isLast: boolean;
}

export interface Resident extends Place {
  /** Where it would go now, or null. */
  readonly to: string | null;
  /**
   * Why it is not to be told to leave: a reason in CamelCase, and until when if that is known. Null for one
   * that is.
   */
  readonly why: string | null;
}

/**
 * Reasons of those that are about to be gone by themselves: a site has still to remove a copy, or the caches
 * have still to hear of it.
 */
export const PASSING = ['StillLeaving', 'OtherCopy', 'Deleting', 'NoCapp', 'Elsewhere', 'Gone'] as const;
