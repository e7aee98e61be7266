// The grounds and outcomes of removals, and where a Capp's works were found.
import type { Outlook } from './outlook.ts';

/** A ManifestWork of this Capp that is already there. */
export interface FoundWork {
  readonly cluster: string;
  readonly leaving: boolean;
}

/**
 * What a removal rests on. It does not live long: what was so a while ago is no ground to remove anything.
 */
export interface Grounds {
  /**
   * The work that must be there, undeleted and with this stamp, on a cluster that can be reached; null:
   * `Recreate`, the old copy goes first.
   */
  readonly staying: { readonly cluster: string; readonly stamp: string } | null;
  /** Milliseconds since the epoch: nothing is removed any more from then on. */
  readonly until: number;
}

export interface Removed {
  /** The clusters whose work is being deleted. */
  readonly leaving: readonly string[];
  /** Clusters whose work has to be made ready for that first: it is not being deleted yet. */
  readonly pending?: readonly string[];
  /**
   * Nothing was removed, since what the removal rests on is not so, or not any more; one sentence for people.
   */
  readonly objection?: {
    readonly reason: 'Expired' | 'WorkGone' | 'OtherStamp' | 'SiteUnreachable' | 'CappChanged';
    readonly message: string;
  };
}

/** Where a Capp has works, by a live read. */
export interface Found {
  readonly works: readonly FoundWork[];
  /** Of clusters whose work is being deleted, those that will not clean up for now. */
  readonly lost: Outlook['lost'];
  /** Clusters whose work was let go: a person has given it up, or nobody on that cluster ever held it. */
  readonly given: readonly string[];
}
