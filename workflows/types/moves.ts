// The parts of a Capp's state about moves and requests. Times are milliseconds since the epoch.
import type { HubReason } from '../../crds/capp/conditions.ts';

/** Why a Capp should not stay where it is. */
export const LEAVE_REASONS = [
  'SiteGone',
  'SiteLost',
  'Tainted',
  'NotSelected',
  'SiteEdited',
  'Asked',
  'Failback',
] as const;
export type LeaveReason = (typeof LEAVE_REASONS)[number];

/** Ids of the requests by annotation that were answered last, so that one that lingers does nothing twice. */
export interface Annotated {
  readonly migrate: string | null;
  readonly force: string | null;
}

/** A person's wish to move. It asks, and grants nothing. */
export interface Request {
  readonly source: 'signal' | 'update' | 'drain' | keyof Annotated;
  /** Tells it from every other request of its source. */
  readonly id: string;
  /** A site, or null for anywhere else. */
  readonly to: string | null;
  /** Who and why, as far as it is known. */
  readonly by: string;
  readonly why: string;
  /**
   * A person's word that the old copy counts for nothing: only an annotation carries it, which the API server
   * has authorised.
   */
  readonly force: boolean;
}

/** How a request was answered. */
export interface Handled {
  readonly source: Request['source'];
  readonly id: string;
  readonly outcome: 'Accepted' | 'Refused';
  /** Accepted, or what speaks against it. */
  readonly reason: 'Accepted' | 'AlreadyThere' | HubReason;
  /** One sentence for people. */
  readonly message: string;
}

/** What the Capp's `spec.migration` and the reason for leaving make of time: all in milliseconds. */
export interface Terms {
  /** How long the reason must have held. */
  readonly holdMs: number;
  /** Least time since the last move; 0 when it does not matter. */
  readonly cooldownMs: number;
  /** How long the new copy may take. */
  readonly deadlineMs: number;
  readonly strategy: 'MakeBeforeBreak' | 'Recreate';
  /** It leaves with many others, so `turns/<cluster>` gives it its turn. */
  readonly inBulk: boolean;
}

/** The Capp should leave `from`. */
export interface Leave {
  readonly from: string;
  readonly reason: LeaveReason;
  /** One sentence: why, and if there is nowhere to go, why not. */
  readonly message: string;
  /** The best other site at the last look, or null. */
  readonly to: string | null;
  readonly terms: Terms;
  readonly request: Request | null;
  /** Among those that leave with it: higher goes first. */
  readonly priority: number;
  /** Since when the reason has held. */
  readonly since: number;
  /** When it was last looked at. */
  readonly lookedAt: number;
  readonly permit: Permit | null;
}

/** Asked of `turns/<cluster>`: null while it has not answered. */
export interface Permit {
  readonly askedAt: number;
  readonly answer: 'Go' | 'Wait' | null;
}

/** A drain counts on the Capp. */
export interface AwaitingDrain {
  /** Since when, in milliseconds since the epoch: how a move ended before that is no news. */
  readonly since: number;
  /** The id of the request whose answer is the drain's as well, or null. */
  readonly request: string | null;
}

/** Two copies, or with `Recreate` one after the other. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly reason: LeaveReason;
  readonly message: string;
  readonly since: number;
  /** By when the new copy must be Ready. */
  readonly deadline: number;
  readonly strategy: 'MakeBeforeBreak' | 'Recreate';
  readonly request: Request | null;
  /** Whether the new copy's agent has said once more that it serves, since users are sent to it. */
  readonly confirmation: 'Due' | 'Asked' | 'Given';
}

/** How the last move ended; `from`'s copy may still be leaving. */
export interface MoveRecord {
  readonly from: string;
  readonly to: string;
  readonly reason: LeaveReason;
  readonly result: 'Moved' | 'Failed' | 'Cancelled';
  /** Why it set out, and who asked as far as that is known. */
  readonly message: string;
  readonly since: number;
  readonly at: number;
  readonly request: string | null;
}

/** The site was not left of its own accord: nothing is known of what runs there. */
export function isLost(reason: LeaveReason): boolean {
  return reason === 'SiteGone' || reason === 'SiteLost';
}
