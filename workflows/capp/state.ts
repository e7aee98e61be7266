// The state of a Capp's workflow. It is the workflow's only argument, so continue-as-new is a checkpoint and
// a reset needs no second path.
import type { HubReason, Reason } from '../../crds/capp/conditions.ts';
import type { DecisionRecord } from '../../crds/capp/decision.ts';
import type { Copy, Leaving } from '../types/copy.ts';
import type { Healing } from '../types/health.ts';
import type { Annotated, AwaitingDrain, Handled, Leave, Move, MoveRecord, Request } from '../types/moves.ts';
import type { Cause } from '../types/ring.ts';

/** The object on the hub. The uid tells it from a later object of the same name. */
export interface CappRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * The time (milliseconds since the epoch) or ring until which nothing is tried, and the number of failures in
 * a row.
 */
export interface Backoff {
  readonly until: number;
  readonly tries: number;
  readonly ringsHeard: number;
  /**
   * Since when, in milliseconds since the epoch, the caches have been older than the ring asks; absent if
   * something else failed.
   */
  readonly behindSince?: number;
}

/** The outcome of a choice: the short form of a decision record. */
export interface Placing {
  readonly reason: HubReason;
  readonly message: string;
}

/** Why the hub could not ship what the Capp asks for. */
export interface ShipRefusal {
  readonly reason: HubReason;
  readonly message: string;
}

export type Phase = 'Placing' | 'RollingOut' | 'Ready' | 'Degraded' | 'Moving' | 'Paused' | 'Deleting';

/** The DNS record that the hub keeps for the Capp's hostname. Times are milliseconds since the epoch. */
export interface DnsRecord {
  /** The cluster that it was last to lead to; null before the first time. */
  readonly cluster: string | null;
  /** It is to be compared with what the Capp asks for. */
  readonly isDue: boolean;
  /** There is one, wherever it leads. */
  readonly isThere: boolean;
  /** Since when DNS is known to have it as it should be; null while it is not. */
  readonly syncedAt: number | null;
  /** For how long resolvers may keep it. */
  readonly ttlMs: number;
  readonly said: { readonly reason: Reason; readonly message: string };
  /** When it is looked at again while it is not synced, and how often it was. */
  readonly retryAt: number;
  readonly tries: number;
}

export interface State {
  readonly version: 1;
  readonly capp: CappRef;
  /** Causes that have rung and are unanswered, in the order of `CAUSES`. */
  readonly due: readonly Cause[];
  /** Messages from outside that could not be read. */
  readonly unreadable: number;
  /** Rings heard, and rings answered by a read that began after them. At rest both are equal. */
  readonly ringsHeard: number;
  readonly ringsAnswered: number;
  /** Rings heard when the placement was last reviewed; -1 asks for a review in any case. */
  readonly ringsReviewed: number;
  /** Kind → the newest resourceVersion that an unanswered ring has named. */
  readonly minimumVersions: Readonly<Record<string, string>>;
  /** The newest generation read live; 0 before the first read. */
  readonly generation: number;
  readonly copies: Readonly<Record<string, Copy>>;
  /** Clusters whose work is being deleted: they are no copies, only waited for. */
  readonly leaving: Readonly<Record<string, Leaving>>;
  /** The cluster whose copy users are sent to. */
  readonly serving: string | null;
  /** The site was chosen because `spec.site` names it. */
  readonly pinned: boolean;
  /**
   * `spec.site` when the present site was chosen: another value is a person's request. Null before the first
   * choice.
   */
  readonly placedFor: string | null;
  /** A person's request that no review has answered yet. */
  readonly request: Request | null;
  /** The request answered last, and its outcome. */
  readonly handled: Handled | null;
  readonly annotated: Annotated;
  /** The site that a person asked for last. A changed decision alone does not make the Capp leave it. */
  readonly pin: string | null;
  /** Why the Capp stays although somebody might expect otherwise; null in the ordinary case. */
  readonly stays: Placing | null;
  /** Clusters with a copy that were gone or out of reach at the last look. */
  readonly unreachable: readonly string[];
  /** Of these clusters, since when that is known. */
  readonly awaySince: Readonly<Record<string, number>>;
  /** The Capp should be elsewhere, and waits for its turn. */
  readonly leave: Leave | null;
  /** A migration in progress. */
  readonly move: Move | null;
  readonly lastMove: MoveRecord | null;
  /** Clusters whose drain waits for the Capp, until it gets the outcome; absent while there is none. */
  readonly awaitedBy?: Readonly<Record<string, AwaitingDrain>>;
  /** When the Capp last moved, whatever was tried since; null if it never did. */
  readonly movedAt: number | null;
  /** Clusters not to be chosen, and until when. */
  readonly avoid: Readonly<Record<string, number>>;
  /**
   * How long the Capp bears to be unhealthy on a site, in milliseconds, by the Capp as it was last shipped;
   * absent if it stays whatever happens.
   */
  readonly unhealthyMs?: number;
  /** After how many restarts in one trouble it leaves before that; absent if they do not matter. */
  readonly unhealthyRestarts?: number;
  /** What was tried because it was unhealthy; absent if nothing was. It counts for its generation alone. */
  readonly healing?: Healing;
  readonly placing: Placing | null;
  /** Absent while the hub keeps no DNS record for the Capp. */
  readonly dns?: DnsRecord;
  readonly refused: ShipRefusal | null;
  readonly paused: boolean;
  /** The user who paused it, as far as that is recorded. Says something only while `paused` is true. */
  readonly pausedBy?: string;
  /** The Capp is being deleted or is gone. Only the removal of its works is left to do. */
  readonly retiring: boolean;
  /**
   * From when on people are told for which sites a deletion waits, in milliseconds since the epoch: most are
   * over before. Absent before the first removal, and in runs of earlier builds, which told it at once.
   */
  readonly tellLeavingAt?: number;
  /** A work may exist that no answer reported, so the Capp's works are read live before a site is chosen. */
  readonly mayHaveWorks: boolean;
  /** The backoff after a step that failed. */
  readonly backoff: Backoff | null;
  /**
   * When the newest status was decided, in milliseconds since the epoch. It increases with every status, so
   * that an older one never replaces a newer one.
   */
  readonly statusDecidedAt: number;
  /**
   * Fingerprint of what was last published, so that nothing is written when nothing changed; empty if
   * somebody else has overwritten it.
   */
  readonly published: string | null;
  /** Hash of the site's status last published. */
  readonly mirrored: string | null;
}

/** The input of a run. */
export type Start = State & {
  /** A choice of the run before that has not been published yet. */
  readonly record?: DecisionRecord | null;
};

export function initialState(capp: CappRef): State {
  return {
    version: 1,
    capp,
    due: ['spec'],
    unreadable: 0,
    ringsHeard: 0,
    ringsAnswered: 0,
    ringsReviewed: -1,
    minimumVersions: {},
    generation: 0,
    copies: {},
    leaving: {},
    serving: null,
    pinned: false,
    placedFor: null,
    request: null,
    handled: null,
    annotated: { migrate: null, force: null },
    stays: null,
    unreachable: [],
    awaySince: {},
    pin: null,
    leave: null,
    move: null,
    lastMove: null,
    movedAt: null,
    avoid: {},
    placing: null,
    refused: null,
    paused: false,
    retiring: false,
    mayHaveWorks: false,
    backoff: null,
    statusDecidedAt: 0,
    published: null,
    mirrored: null,
  };
}
