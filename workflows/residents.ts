// The Capps that a cluster serves, as a drain reads them, and what it says to each.
import type { Place } from './drain-state.ts';

/** A drain's word to one Capp: a permit, or `Leave` to one that has not asked. */
export interface DrainAnswer {
  /** `<namespace>/<name>`. */
  readonly capp: string;
  readonly say: 'Go' | 'Wait' | 'Leave';
}

/** A page of the Capps that a cluster serves, in the order in which a drain lets them go. */
export interface Residents {
  readonly capps: readonly Resident[];
  readonly isLast: boolean;
}

export interface Resident extends Place {
  /** Where it would go now, or null. */
  readonly to: string | null;
  /** `rcs.dana.io/paused` freezes it. */
  readonly frozen: boolean;
}
