// The choice of a site: what it rests on beside the caches, and its outcomes.
import type { AskedBy } from '../../crds/capp/asked.ts';
import type { DecisionRecord } from '../../crds/capp/decision.ts';
import type { HubReason } from '../../crds/capp/conditions.ts';
import type { PlacementHistory, StayReason } from '../placement/outcome.ts';
import type { Healing, Illness } from '../types/health.ts';
import type { LeaveReason } from '../types/leave-reasons.ts';
import type { Annotated, Handled, MoveRecord, MoveTerms, Request } from '../types/moves.ts';
import type { FoundWork } from '../types/removals.ts';

/** The inputs of a choice that only the workflow knows, and how new the caches must be. */
export interface ChoiceAsk {
  /** Kind → the resourceVersion that a cache of it must have reached. */
  readonly minimumVersions: Readonly<Record<string, string>>;
  /**
   * The cluster that serves the Capp, which stays if it is still a candidate; null to take what the hub
   * remembers.
   */
  readonly present: string | null;
  /** Clusters not to choose → until when, in milliseconds since the epoch. */
  readonly avoid: Readonly<Record<string, number>>;
  /** Works that caches may not show correctly: read live, or known to be leaving. */
  readonly works: readonly FoundWork[];
  /**
   * What the workflow knows of a Capp that has a site, and where it counts copies; null to choose its first.
   */
  readonly history:
    | (Omit<PlacementHistory, 'illness'> & {
        readonly annotated: Annotated;
        readonly copies: readonly string[];
        /** What its site says; how others are, the hub sees for itself. */
        readonly illness?: Illness;
      })
    | null;
}

/** The Capp's status, for a workflow that remembers nothing. */
export interface Memory {
  readonly placedFor: string | null;
  readonly pin: string | null;
  readonly annotated: Annotated;
  readonly lastMove: MoveRecord | null;
  readonly healing?: Healing;
}

export type Choice =
  /** The caches are older than the rings: ask again in a moment. */
  | { readonly outcome: 'Behind' }
  /**
   * The caches are new enough and have no such Capp, or another object of that name, or the Capp is being
   * deleted: a live read must confirm it.
   */
  | { readonly outcome: 'Absent' }
  | {
      readonly outcome: 'None';
      readonly reason: HubReason;
      readonly message: string;
      readonly generation: number;
      readonly record: DecisionRecord;
      readonly works: readonly FoundWork[];
    }
  | {
      readonly outcome: 'Chosen';
      readonly cluster: string;
      readonly pinned: boolean;
      readonly message: string;
      readonly generation: number;
      readonly record: DecisionRecord;
      readonly works: readonly FoundWork[];
      /** `spec.site`. */
      readonly site: string;
      readonly memory: Memory | null;
      /**
       * Present with `Recreate`: nothing is shipped before this choice is in the history, because a repeated
       * choice may differ.
       */
      readonly isSole?: true;
    }
  /** The Capp should stay where it is. */
  | {
      readonly outcome: 'Stays';
      readonly reason: StayReason;
      readonly message: string;
      readonly generation: number;
      readonly site: string;
      readonly handled: Handled | null;
      /** Clusters with a work of this Capp that are gone or cannot be reached. */
      readonly unreachable: readonly string[];
      readonly works: readonly FoundWork[];
    }
  /** The Capp should move: to `to` if it is not null. */
  | {
      readonly outcome: 'Leaves';
      readonly reason: LeaveReason;
      readonly message: string;
      readonly to: string | null;
      readonly pinned: boolean;
      readonly record: DecisionRecord;
      readonly terms: MoveTerms;
      readonly request: Request | null;
      /** Who asked for it; absent if nobody did. */
      readonly asked?: AskedBy;
      /** `rcs.dana.io/priority` of the Capp: among those that leave together, higher goes first. */
      readonly priority: number;
      readonly generation: number;
      readonly site: string;
      readonly handled: Handled | null;
      readonly unreachable: readonly string[];
      readonly works: readonly FoundWork[];
    };
