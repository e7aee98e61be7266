// What a drill needs from the hub worker. It reads, and writes one part of the status of one Drain, or
// deletes that if its time is over.
import type { Rehearsal } from '../../crds/drain/rehearsal.ts';
import type { PlannedMove } from '../drain/decide/plan.ts';
import type { DrainPlace } from '../drain/state.ts';
import type { SiteKind } from '../types/inspection.ts';

/** Which drill a Drain asks for. */
export interface DrillAsked {
  readonly uid: string;
  readonly generation: number;
}

/** What the pods of a Capp ask for: thousandths of a core and bytes, of each. */
export interface PodNeeds {
  /** The pods that start with it. */
  readonly pods: number;
  readonly cpu: number;
  readonly memory: number;
  readonly limitCpu: number;
  readonly limitMemory: number;
  readonly images: readonly string[];
  readonly kinds: readonly SiteKind[];
}

/** A sentence with a reason in CamelCase. */
export interface DrillSaying {
  readonly reason: string;
  readonly message: string;
}

/** A Capp of the site: where it would go, and what it needs there. */
export interface DrillCapp extends DrainPlace {
  /** Null: it would stay, and `why` says for what reason. */
  readonly to: string | null;
  readonly why: DrillSaying;
  /** Null for one that stays, and for one that cannot be read. */
  readonly needs: PodNeeds | null;
  /** Why it would not be sent there: a reference is missing, or whatever else holds it up. */
  readonly objection: DrillSaying | null;
  /** What it would be sent without. */
  readonly lacks: DrillSaying | null;
}

export interface DrillPage {
  readonly capps: readonly DrillCapp[];
  readonly isLast: boolean;
  /** Capps on the site, on all pages. */
  readonly all: number;
}

/** What is to be written of a drill. */
export interface DrillReport extends DrillAsked {
  readonly rehearsal: Rehearsal;
}

export interface Drills {
  /**
   * The drill that the Drain of a cluster asks for and that nobody has carried out, read live; null if there
   * is none. A dry run that was made for one answer and has outlived its time is deleted. Throws Unreachable,
   * Conflict and Forbidden. A repeat reads again.
   */
  readDrill(cluster: string): Promise<{ readonly drill: DrillAsked | null }>;
  /**
   * The Capps on a cluster behind `after`, 25 at most, in the order of a drain: where they would go, what
   * they need there, and whether what they refer to is on the hub. `bound`: the Capps of earlier pages, which
   * count at their targets. Writes nothing; no value of a Secret is in the answer. An unknown
   * cluster has none. Throws Unreachable and Forbidden. A repeat looks again.
   */
  drillPage(cluster: string, after: DrainPlace | null, bound: readonly PlannedMove[]): Promise<DrillPage>;
  /**
   * Writes what a drill found into the status of the cluster's Drain. Does nothing to an object with another
   * uid or generation; what is there already is not written. A repeat finds what it wrote. Throws
   * Unreachable, Conflict and Forbidden.
   */
  reportDrill(cluster: string, report: DrillReport): Promise<void>;
}
