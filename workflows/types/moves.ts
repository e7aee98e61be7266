// The parts of a Capp's state about moves and requests. Times are milliseconds since the epoch.
import type { HubReason } from '../../crds/capp/conditions.ts';
import type { AskedBy } from '../../crds/capp/asked.ts';
import type { LeaveReason } from './leave-reasons.ts';
import type { Verification } from './verification.ts';

/**
 * Ids of the annotation requests that were answered last, so that an annotation that stays does nothing
 * twice.
 */
export interface Annotated {
  readonly migrate: string | null;
  readonly force: string | null;
}

/** Stands for the sender of a message that does not say who sent it. */
export const UNNAMED = 'somebody';

/** A person's move request. It asks, and guarantees nothing. */
export interface Request {
  readonly source: 'signal' | 'update' | 'drain' | keyof Annotated;
  /** Distinguishes it from every other request of its source. */
  readonly id: string;
  /** A site, or null for anywhere else. */
  readonly to: string | null;
  /** A drain has planned this site for the Capp: it is preferred to others. Absent if none is planned. */
  readonly planned?: string;
  /** Who and why, as far as it is known. */
  readonly by: string;
  readonly why: string;
  /**
   * A person confirms that the old copy can be disregarded. Only an annotation carries this, because the API
   * server has authorised it.
   */
  readonly force: boolean;
}

/** How a request was answered. */
export interface Handled {
  readonly source: Request['source'];
  readonly id: string;
  readonly outcome: 'Accepted' | 'Refused';
  /** Accepted, or the reason for the refusal. */
  readonly reason: 'Accepted' | 'AlreadyThere' | HubReason;
  /** One sentence for people. */
  readonly message: string;
  readonly asked?: AskedBy;
}

/** Times that follow from `spec.migration` and from the reason to leave, in milliseconds. */
export interface MoveTerms {
  /** How long the reason must have held. */
  readonly holdMs: number;
  /** Least time since the last move; 0 when it does not matter. */
  readonly cooldownMs: number;
  /** How long the new copy may take. */
  readonly deadlineMs: number;
  readonly strategy: 'MakeBeforeBreak' | 'Recreate';
  /** The Capp leaves with many others, so `turns/<cluster>` gives it its turn. */
  readonly inBulk: boolean;
  /** The move does not wait until the new site answers for the hostname. */
  readonly ignoresHostname?: true;
}

/** The Capp should leave `from`. */
export interface Leave {
  readonly from: string;
  readonly reason: LeaveReason;
  /** One sentence: why, and if there is no other site, why not. */
  readonly message: string;
  /** The best other site at the last review, or null. */
  readonly to: string | null;
  readonly terms: MoveTerms;
  readonly request: Request | null;
  /** Who asked for it; absent if nobody did. */
  readonly asked?: AskedBy;
  /** The Capp's priority among those that leave together: higher goes first. */
  readonly priority: number;
  /** Since when the reason has held. */
  readonly since: number;
  /** When it was last reviewed. */
  readonly lookedAt: number;
  readonly permit: Permit | null;
}

/** The turn request to `turns/<cluster>`; its answer is null until it comes. */
export interface Permit {
  readonly askedAt: number;
  readonly answer: 'Go' | 'Wait' | null;
}

/** A drain waits for the Capp. */
export interface AwaitingDrain {
  /** Since when, in milliseconds since the epoch. A move that ended before that is not its outcome. */
  readonly since: number;
  /** The id of the request that the drain waits for, or null. */
  readonly request: string | null;
}

/** A move: two copies, or with `Recreate` one after the other. */
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
  readonly asked?: AskedBy;
  readonly ignoresHostname?: true;
  /** Whether the new copy's agent has confirmed that it serves since users were sent to it. */
  readonly confirmation: 'Due' | 'Asked' | 'Given';
  /**
   * When the old copy's agent was last asked whether users can return, and how many rings had been heard;
   * absent before that. Without a time, the run is of an earlier build, which did not ask.
   */
  readonly askedBack?: { readonly at: number | null; readonly ringsHeard: number };
}

/** How the last move ended. `from` may still be cleaning up. */
export interface MoveRecord {
  readonly from: string;
  readonly to: string;
  readonly reason: LeaveReason;
  readonly result: 'Moved' | 'Failed' | 'Cancelled';
  /** The reason of the move, and who asked as far as that is known. */
  readonly message: string;
  readonly since: number;
  readonly at: number;
  readonly request: string | null;
  readonly asked?: AskedBy;
  /** The verdict for which it was given up; absent if it was not given up for checks. */
  readonly verification?: Verification;
}
