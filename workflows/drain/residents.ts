// The Capps on a cluster as a drain reads them, and its answers to them.
import type { DrainPlace } from './state.ts';

/** A drain's answer to one Capp: a permit, or `Leave` to one that has not asked. */
export interface DrainAnswer {
  /** `<namespace>/<name>`. */
  readonly capp: string;
  readonly say: 'Go' | 'Wait' | 'Leave';
  /** With `Leave`: the site that was planned for it; absent if there was none. */
  readonly to?: string;
}

/** What became of a drain's answers. */
export interface Delivered {
  /** Capps without a running workflow. */
  readonly gone: readonly string[];
  /** Capps that could not be told in time. */
  readonly untold: readonly string[];
  /** How long the oldest task of the hub workers has waited, in milliseconds; null if that is not known. */
  readonly backlogMs: number | null;
}

/** A page of the Capps with a copy on a cluster, in the order in which a drain gives turns. */
export interface Residents {
  readonly capps: readonly Resident[];
  readonly isLast: boolean;
}

export interface Resident extends DrainPlace {
  /** The site where the Capp would move now, or null. */
  readonly to: string | null;
  /**
   * Why it is not to be told to leave: a reason in CamelCase, and until when if that is known. Null if it is
   * to be told.
   */
  readonly why: string | null;
}

/**
 * Reasons that pass without a person: a site still has to remove a copy, this one's or the one in which the
 * Capp could go to that site, or the caches still have to show it.
 */
export const PASSING = ['StillLeaving', 'OtherCopy', 'Deleting', 'NoCapp', 'Elsewhere', 'Gone'] as const;
