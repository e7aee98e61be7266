// A Drain object as the workflow of a drain knows it: what it asks for, and what is reported into its status.
import type { DrainPhase } from '../../crds/drain/status.ts';
import type { PlannedMove } from './decide/plan.ts';
import type { Lanes } from './state.ts';

/** What a Drain object asks for, as it was read. */
export interface DrainAsked {
  readonly uid: string;
  readonly generation: number;
  readonly dryRun: boolean;
  readonly paused: boolean;
  readonly lanes: Lanes;
  /**
   * The Drain's status says that the drain has ended, or was stopped by hand: it is not begun a second time.
   */
  readonly isOver: boolean;
  /** The status is about this generation, and nothing more is to be done or said for it. */
  readonly isSettled: boolean;
}

/**
 * How far a drain is, or what a plan found: bounded, however many Capps there are. Named as in the status.
 */
export interface DrainAccount {
  /** The start of the run in which Capps were counted, which tells it from another; null for a plan. */
  readonly countedSince: string | null;
  readonly waiting: number;
  readonly underWay: number;
  readonly moved: number;
  /** Site → Capps that are on their way there, or would go there; `?` where that is not known. */
  readonly targets: Readonly<Record<string, number>>;
  /** The first fifty of those that are on their way, and then of those that wait, in order. */
  readonly going: readonly PlannedMove[];
  /** Reason → Capps that stay for it, or would. */
  readonly stayed: Readonly<Record<string, number>>;
  /** Reason → what the first of these Capps waits for; only of a plan. */
  readonly messages?: Readonly<Record<string, string>>;
  /** Fifty of them at most. */
  readonly named: readonly { readonly capp: string; readonly why: string }[];
}

/** What is to be written into the status of a Drain object. */
export interface DrainReport {
  readonly uid: string;
  /** When the drain found this out, in milliseconds since the epoch. */
  readonly at: number;
  /** The generation of the spec that was heeded; null where an earlier build did. */
  readonly generation: number | null;
  /** Null: the phase stays as it was. */
  readonly phase: DrainPhase | null;
  /** Null: the figures stay as they were. */
  readonly account: DrainAccount | null;
}
