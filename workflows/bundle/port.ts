// What the workflow of a Bundle needs from activities: one turn, which looks at everything and does what is
// due.
import type { BundleReason } from '../../crds/bundle/status.ts';
import type { RolloutMemory } from '../stages/memory.ts';

export interface BundleRef {
  readonly namespace: string;
  readonly name: string;
}

export interface BundleAsk {
  /** Null: what the status of the Bundle says. */
  readonly memory: RolloutMemory | null;
  /**
   * Kind → the resourceVersion that a cache of it must have reached. Of ManifestWork, that of Bundles' works.
   */
  readonly minimumVersions: Readonly<Record<string, string>>;
  /** Works to write at most, and to delete. */
  readonly most: number;
  /** A turn before this one failed, so its works are read live. */
  readonly isAgain: boolean;
}

/** What one turn found and did. Counts and words of a closed list: no manifest, and no name of one. */
export type BundleTurn =
  /** The caches of works are older than the ring: to be repeated in a moment. */
  | { readonly outcome: 'Behind' }
  /** The Bundle is deleted, and no work of it is left. */
  | { readonly outcome: 'Gone' }
  | {
      readonly outcome: 'Leaving';
      /** How many sites have still to clean up. */
      readonly sites: number;
      /** Some of these, of which OCM knows no living agent: a person may give them up. */
      readonly lost: readonly string[];
      /** A work could not be deleted yet: to be repeated soon. */
      readonly isPending: boolean;
      /**
       * The hub refuses to delete a work, or has still to orphan what the Bundle owns: to be repeated soon,
       * for nothing may ring.
       */
      readonly isRefused?: boolean;
    }
  | {
      readonly outcome: 'Turned';
      readonly revision: string;
      readonly sites: number;
      readonly ready: number;
      readonly failed: number;
      /** The reason of condition Ready. */
      readonly reason: BundleReason;
      readonly memory: RolloutMemory;
      /** Sites are left for another turn, which is due at once. */
      readonly isMore: boolean;
      /** The versions of what this turn has written, so that the next one does not miss it. */
      readonly minimumVersions: Readonly<Record<string, string>>;
      /**
       * When to look again at the latest, in milliseconds since the epoch; null: the resync is soon enough.
       */
      readonly wakeAt: number | null;
    };

/** Activities of the hub worker for Bundles. */
export interface Bundles {
  /**
   * One turn of a Bundle: reads it and its sources live, and its sites and works from caches that have
   * reached `minimumVersions`; plans, creates or patches at most `most` works, deletes at most as many on
   * sites that are not selected any more, and writes the status. For a Bundle that is being deleted or gone
   * it deletes the works, and then releases the finalizer.
   *
   * Writes nothing that is unchanged, so a repeat, which lists the works live, finds what the first try did.
   * A late try reads each work before it makes sure that the Bundle and its sources are still what it has
   * read, and patches with the resourceVersion of that work: it undoes nothing newer. Throws Unreachable,
   * Conflict and Forbidden.
   */
  turnBundle(ref: BundleRef, ask: BundleAsk): Promise<BundleTurn>;
}
