// What a review of a Capp's site rests on, and its outcome.
import type { DecisionRecord } from '../../crds/capp/decision.ts';
import type { Illness } from '../types/health.ts';
import type { LeaveReason } from '../types/leave-reasons.ts';
import type { Handled, Request, MoveTerms } from '../types/moves.ts';

/** `spec.migration` with its defaults; times in milliseconds. */
export interface CappMoveRules {
  readonly policy: 'Evacuate' | 'Follow' | 'Manual';
  readonly strategy: 'MakeBeforeBreak' | 'Recreate';
  readonly failback: 'Never' | 'Manual' | 'Automatic';
  readonly stabilisationMs: number;
  readonly cooldownMs: number;
  readonly deadlineMs: number;
  readonly ignoresHostname?: true;
  /** How long the Capp bears to be unhealthy; absent if it does not leave for that. */
  readonly unhealthyMs?: number;
}

/** How many Capps turned unhealthy with one, and what the hub makes of that. */
export interface FleetHealth {
  /** Capps that turned unhealthy no earlier than ten minutes before this one, and are; with this one. */
  readonly ill: number;
  /** Capps of which a site says whether they are Ready. */
  readonly of: number;
  /** So many percent or more, and none moves for it; 0: none ever does; 100: no other one holds it back. */
  readonly percent: number;
  /** A Capp of the namespace with the same images, whose app is unhealthy on another site. */
  readonly sameElsewhere?: { readonly name: string; readonly site: string };
}

/** What only the workflow knows of a Capp that has a site. */
export interface PlacementHistory {
  /** `spec.site` when the site was chosen; null if that is not known. */
  readonly placedFor: string | null;
  /** The site that a person asked for last. */
  readonly pin: string | null;
  /** The site that the Capp had to leave last. */
  readonly home: string | null;
  readonly request: Request | null;
  /** The Capp is unhealthy for longer than it bears; absent if it is not. */
  readonly illness?: Illness & { readonly fleet: FleetHealth };
  /** The site has refused the Capp as another hub's, and nothing of it serves there: what the site says. */
  readonly otherHub?: string;
}

/** Reasons to stay that a person may want to know; `NotMoving` is the ordinary case. */
export type StayReason =
  | 'NotMoving'
  | 'Pinned'
  | 'Manual'
  | 'NotSelected'
  | 'Unfit'
  | 'FleetUnhealthy'
  | 'Unhealed';

export interface Stay {
  readonly goes: false;
  readonly reason: StayReason;
  readonly message: string;
  readonly handled: Handled | null;
}

export interface Go {
  readonly goes: true;
  readonly reason: LeaveReason;
  readonly message: string;
  readonly to: string | null;
  readonly pinned: boolean;
  readonly record: DecisionRecord;
  readonly terms: MoveTerms;
  readonly request: Request | null;
  readonly handled: Handled | null;
}
