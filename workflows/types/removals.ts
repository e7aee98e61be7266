// The grounds and outcomes of removals, and where a Capp's works were found.
import type { CleanupOutlook } from './outlook.ts';

/** A ManifestWork of this Capp that is already there. */
export interface FoundWork {
  readonly cluster: string;
  readonly leaving: boolean;
}

/** The grounds of a removal. They expire soon, because a removal needs present facts. */
export interface Grounds {
  /**
   * The work that must exist, not being deleted and with this stamp, on a reachable cluster; null:
   * `Recreate`, the old copy goes first.
   */
  readonly staying: { readonly cluster: string; readonly stamp: string } | null;
  /**
   * The stamps of the works to remove, by cluster, where they are known: a work that was shipped there since
   * is another decision's.
   */
  readonly of?: Readonly<Record<string, string>>;
  /** With `Recreate`, where the Capp goes. */
  readonly to?: string;
  /** Milliseconds since the epoch. Nothing may be removed after that. */
  readonly until: number;
}

export interface RemovedWorks {
  /** The clusters whose work is being deleted. */
  readonly leaving: readonly string[];
  /** Clusters whose work has to be prepared for deletion first. It is not being deleted yet. */
  readonly pending?: readonly string[];
  /** Nothing was removed, since the grounds do not hold, or no longer; one sentence for people. */
  readonly objection?: {
    readonly reason:
      | 'Expired'
      | 'WorkGone'
      | 'OtherStamp'
      | 'OtherWork'
      | 'SiteUnreachable'
      | 'CappChanged'
      | 'NotServing';
    readonly message: string;
    /** Of `OtherWork`: the stamps that the works have instead, by cluster; null: none. */
    readonly seen?: Readonly<Record<string, string | null>>;
  };
}

/** Where a Capp has works, by a live read. */
export interface WorksFound {
  readonly works: readonly FoundWork[];
  /** Clusters whose work is being deleted and that will not clean up for now. */
  readonly lost: CleanupOutlook['lost'];
  /** Clusters whose work was released: a person has abandoned it, or no work agent ever held it. */
  readonly given: readonly string[];
}
