// What the workflow of an object on many sites needs from activities: one turn, which looks at everything and
// does what is due.
import type { RolloutMemory } from '../stages/memory.ts';

/** The kinds whose objects are brought to many sites, in stages. */
export const FLEET_KINDS = ['CappSet', 'Bundle'] as const;

export type FleetKind = (typeof FLEET_KINDS)[number];

export interface FleetRef {
  readonly kind: FleetKind;
  readonly namespace: string;
  readonly name: string;
}

export interface TurnAsk {
  /** Null: what the status of the object says. */
  readonly memory: RolloutMemory | null;
  /**
   * Kind → the resourceVersion that a cache of it must have reached. Of ManifestWork, that of Bundles' works.
   */
  readonly minimumVersions: Readonly<Record<string, string>>;
  /** Copies to write at most, and to delete. */
  readonly most: number;
  /** A turn before this one failed, so the copies are read live. */
  readonly isAgain: boolean;
}

/** Copies in a full turn. */
export const FULL_TURN = 100;

/** What one turn came to. Counts, sites and sentences of ours: no manifest, and no value of one. */
export type Turned =
  /** The caches are older than the rings: to be repeated in a moment. */
  | { readonly outcome: 'Behind' }
  /** The object is gone, and no copy of it is left. */
  | { readonly outcome: 'Gone' }
  | {
      readonly outcome: 'Turned';
      /** Null: what the status says. */
      readonly memory: RolloutMemory | null;
      /** Copies are left for another turn, which is due at once. */
      readonly isMore: boolean;
      /** The versions of what this turn has written, so that the next one does not miss it. */
      readonly minimumVersions: Readonly<Record<string, string>>;
      /**
       * When to look again at the latest, in milliseconds since the epoch; null: the resync is soon enough.
       */
      readonly wakeAt: number | null;
      /** One line of markdown for people, in the Temporal UI. */
      readonly says: string;
    };

/** The activity of the hub worker for objects on many sites. */
export interface Fleets {
  /**
   * One turn of a CappSet or a Bundle: reads it live, and its sites and copies from caches that have reached
   * `minimumVersions`; plans, writes at most `most` copies, deletes at most as many on sites that are not
   * selected any more, and writes the status. Of an object that is being deleted or gone it deletes the
   * copies, and then releases the finalizer.
   *
   * Writes nothing that is unchanged, so a repeat, which lists the copies live, finds what the first try did.
   * What it removes it has counted in the status before, and that a rollout goes back stands there before a
   * copy does. A late try rests on what it has read: it undoes nothing newer. Throws Unreachable, Conflict
   * and Forbidden.
   */
  turnFleet(ref: FleetRef, ask: TurnAsk): Promise<Turned>;
}
