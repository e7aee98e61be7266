// Acts on a person's behalf, for the audit: who asked, for what, why, and the result. They carry names,
// reasons and sites, and nothing of a spec.
import type { AskedBy } from '../../../crds/capp/asked.ts';

export interface AuditedAct {
  readonly act: 'Move' | 'Abandon' | 'Drain' | 'Rollback';
  readonly who: AskedBy;
  /** The object that the person acted on. */
  readonly what: {
    readonly kind: 'Capp' | 'Drain';
    /** Absent for a Drain. */
    readonly namespace?: string;
    readonly name: string;
    readonly uid: string;
    /** The sites that it is about. */
    readonly from?: string;
    readonly to?: string;
    /** The number of the CappRevision that was asked for. */
    readonly revision?: number;
  };
  /** In the person's words if there are any, and otherwise in the hub's: at most 256 characters. */
  readonly why: string;
  /**
   * Of a move `Moved`, `Failed`, `Cancelled` or `Refused`; of an abandon `Released`; of a drain its phase; of
   * a rollback `RolledBack` or `NotRolledBack`.
   */
  readonly result: string;
  /**
   * Tells this act from any other with the same content: a time, a generation or a uid. A repeated try has
   * the same one.
   */
  readonly occasion: string;
}

/** Writes one line. Called before the act is written to the hub, so that no act is without its line. */
export type Audit = (act: AuditedAct) => void;

const LONGEST_WHY = 256;

export function shortened(why: string): string {
  return why.slice(0, LONGEST_WHY);
}
