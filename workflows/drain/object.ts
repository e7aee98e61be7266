// A Drain object as a drain's workflows know it: what it asks for, and what is reported into its status.
import type { DrainPhase } from '../../crds/drain/status.ts';
import type { Going } from './decide/plan.ts';
import type { Lanes } from './state.ts';

/** What a Drain object asks for, as it was read. */
export interface DrainAsked {
  readonly uid: string;
  readonly generation: number;
  readonly dryRun: boolean;
  readonly paused: boolean;
  readonly lanes: Lanes;
  /** Its status says that it has been carried out, or was stopped by hand: it is not begun a second time. */
  readonly isOver: boolean;
}

/** How far a drain is, or what a plan found: bounded, however many Capps there are. */
export interface DrainAccount {
  /** Tells the run in which Capps were counted from another, by its start; null for a plan. */
  readonly countedSince: string | null;
  readonly waiting: number;
  readonly underWay: number;
  readonly moved: number;
  /** Site → Capps that are on their way there, or would go there; `?` where that is not known. */
  readonly targets: Readonly<Record<string, number>>;
  /** The first fifty of those that are on their way, and then of those that wait, in order. */
  readonly going: readonly Going[];
  /** Reason → Capps that stay for it, or would. */
  readonly stayed: Readonly<Record<string, number>>;
  /** Fifty of them at most. */
  readonly named: readonly { readonly capp: string; readonly why: string }[];
}

/** What is to be written into the status of a Drain object. */
export interface DrainReport {
  readonly uid: string;
  /** When it was found out, in milliseconds since the epoch. */
  readonly at: number;
  /** The generation of the spec that was heeded; null for a report that says only how far the drain is. */
  readonly generation: number | null;
  /** Null: as it was. */
  readonly phase: DrainPhase | null;
  /** Null: as it was. */
  readonly account: DrainAccount | null;
}
