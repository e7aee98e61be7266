// The activities as the workflows need them. Workflows own these interfaces; activities implement them.
import type { HubReason, Reason } from '../crds/capp/conditions.ts';
import type { Asked, DecisionRecord } from '../crds/capp/status.ts';
import type { StayReason } from './placement/outcome.ts';
import type { PlacementHistory } from './placement/outcome.ts';
import type { Leaving } from './drain/port.ts';
import type { Annotated, Handled, LeaveReason, MoveRecord, Request, Terms } from './types/moves.ts';
import type { Audit, Compared } from './types/ring.ts';
import type { Outlook } from './types/outlook.ts';
import type { Found, FoundWork, Grounds, Removed } from './types/removals.ts';
import type { CappRef, Finding, State, WorkFacts } from './capp/state.ts';
import type { Measured } from './score/measured.ts';

/** The inputs of a choice that only the workflow knows, and how new the caches must be. */
export interface Ask {
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
    | (PlacementHistory & { readonly annotated: Annotated; readonly copies: readonly string[] })
    | null;
}

/** The Capp's status, for a workflow that remembers nothing. */
export interface Memory {
  readonly placedFor: string | null;
  readonly pin: string | null;
  readonly annotated: Annotated;
  readonly lastMove: MoveRecord | null;
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
      readonly terms: Terms;
      readonly request: Request | null;
      /** Who asked for it; absent if nobody did. */
      readonly asked?: Asked;
      /** `rcs.dana.io/priority` of the Capp: among those that leave together, higher goes first. */
      readonly priority: number;
      readonly generation: number;
      readonly site: string;
      readonly handled: Handled | null;
      readonly unreachable: readonly string[];
      readonly works: readonly FoundWork[];
    };

export type Applied =
  | {
      readonly outcome: 'Applied';
      readonly generation: number;
      readonly stamp: string;
      /** This try created the work. A repeat finds the work of an earlier try. */
      readonly created: boolean;
      /** How many seconds this generation may take to become Ready. */
      readonly deadlineSeconds: number;
      readonly work: WorkFacts;
      /** The hub keeps a DNS record for its hostname. */
      readonly hasRecord?: true;
      /** When the hub read the Capp, in milliseconds since the epoch. */
      readonly at: number;
    }
  /** The Capp cannot be shipped as it is; `reason` is a condition reason. */
  | {
      readonly outcome: 'Refused';
      readonly generation: number;
      readonly reason: HubReason;
      readonly message: string;
      readonly at: number;
    }
  /** Annotation `rcs.dana.io/paused` pauses the Capp. */
  | {
      readonly outcome: 'Paused';
      readonly generation: number;
      readonly at: number;
      /** The user who paused it, as far as the webhook recorded them. */
      readonly by?: string;
      /** The work that was applied there before is not there any more. */
      readonly isGone?: true;
    }
  /** The work there is being deleted: nothing may be written to it. */
  | { readonly outcome: 'Leaving'; readonly generation: number; readonly at: number }
  /** The Capp is being deleted or is gone. */
  | { readonly outcome: 'Deleted' }
  /** Another object with the same name has replaced it. */
  | { readonly outcome: 'Replaced'; readonly uid: string };

/** How the DNS record of a Capp's hostname stands. */
export type Pointed =
  /** The Capp asks for none, or the hub keeps none. */
  | { readonly outcome: 'None' }
  /** DNS has it, and it leads to the site. */
  | { readonly outcome: 'Synced'; readonly message: string; readonly ttlSeconds: number }
  /** It does not lead there yet, or cannot. */
  | {
      readonly outcome: 'Pending';
      readonly reason: Reason;
      readonly message: string;
      /** There is one, which leads where it led; absent if that is not known. */
      readonly isThere?: boolean;
    };

/** The outcome for a Capp without a site. */
export interface Placed {
  readonly choice: Choice;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  /** The outcome of shipping the Capp there at once; null if another step comes first. */
  readonly shipped: { readonly cluster: string; readonly answer: Applied } | null;
}

/** What `publish` writes: conditions, and what only a publication carries. */
export interface Publication {
  /** The choice that was just made, kept among the last ten in the Capp's status. */
  readonly record: DecisionRecord | null;
  /** A bounded projection of the site's status, or null when it is unchanged. */
  readonly mirror: Readonly<Record<string, unknown>> | null;
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number;
}

export type Retired =
  /** No work is left and the finalizer is gone, or the Capp is. */
  | { readonly outcome: 'Retired' }
  /**
   * Works that the sites still have to clean up. Pending if one has to be prepared for deletion first, or its
   * agent is applying it: to be repeated soon.
   */
  | ({
      readonly outcome: 'Leaving';
      readonly clusters: readonly string[];
      readonly isPending?: boolean;
    } & Partial<Outlook>)
  /** The Capp lives, with the same uid and no deletionTimestamp: the ring was stale. */
  | { readonly outcome: 'Alive' }
  | { readonly outcome: 'Replaced'; readonly uid: string };

/**
 * Activities of the hub worker. All of them may run twice, late, and beside their successor. A try ends
 * before its timeout, and throws Unreachable then. Its writes rest on what it has read.
 */
export interface Hub extends Leaving {
  /**
   * Chooses a cluster from caches. Does no I/O, so it can be a local activity. Throws nothing on purpose: a
   * choice that cannot be made is an outcome with a reason.
   */
  choose(capp: CappRef, ask: Ask): Promise<Choice>;
  /**
   * For a Capp without a site: `choose`, and `apply` there if that is the next step. A repeat finds its own
   * work, or chooses again if there is none. Throws as `apply` does.
   */
  place(capp: CappRef, state: State): Promise<Placed>;
  /**
   * Reads the Capp and its dependencies live, confirms the finalizer, creates the cluster's ManifestWork or
   * patches it as it was read before all that goes into it, and publishes the status. A repeat finds its own
   * work and writes what is still missing; a late one finds what is newer and ships that. Throws Unreachable
   * and Conflict; Forbidden, Invalid, and Gone without the cluster's namespace, with the generation
   * (`RefusedOf`).
   */
  apply(capp: CappRef, cluster: string, state: State, record: DecisionRecord | null): Promise<Applied>;
  /**
   * Writes the Capp's status and events for `state`. Skips what is unchanged, and all of it if the status is
   * newer (`state.told`). Throws Unreachable and Conflict.
   */
  publish(capp: CappRef, state: State, publication: Publication): Promise<void>;
  /**
   * Deletes the Capp's works and, when none is left, releases the finalizer. Reads the Capp live first and
   * does nothing if it lives. Releases works on lost clusters that annotation `rcs.dana.io/abandon` names. A
   * repeat deletes what is left. Throws Unreachable and Conflict.
   */
  retire(capp: CappRef): Promise<Retired>;
  /**
   * Deletes this Capp's work on clusters where it is no longer wanted, if a fresh read finds that the grounds
   * hold: answers `kept` otherwise, and so does a repeat that comes late. Without a copy that stays, the Capp
   * itself must live, ask for `Recreate` and not be paused. A repeat in time deletes what is left. Throws
   * Unreachable, Conflict and Forbidden; what it has not deleted then is unchanged.
   */
  remove(capp: CappRef, clusters: readonly string[], grounds: Grounds): Promise<Removed>;
  /**
   * Leads the DNS record of the Capp's hostname to the cluster, by caches that have reached the minimum versions, if the Capp's live status says that it serves
   * there, so that a try that comes late changes nothing. Makes the record, or patches it as it was read; never
   * deletes and makes it again. Removes records of earlier hostnames. Writes nothing that is unchanged, so a
   * repeat only looks. Throws Unreachable, Conflict, Forbidden and Invalid.
   */
  point(capp: CappRef, cluster: string, minimumVersions: Readonly<Record<string, string>>): Promise<Pointed>;
  /**
   * Finds the Capp's works by a live read, on these clusters, or on all for null. Deletes nothing. Releases
   * works being deleted on lost clusters that annotation `rcs.dana.io/abandon` names, and works that no work
   * agent ever held. A repeat looks again. Throws Unreachable and Forbidden.
   */
  find(capp: CappRef, clusters: readonly string[] | null): Promise<Found>;
  /**
   * Returns the Capps of an audit that differ from what the hub last published, and those that the hub has
   * seen on that site and that are missing from it. Does no I/O, so a repeat compares again.
   */
  compare(cluster: string, audit: Audit): Promise<Compared>;
  /**
   * Creates a work for a copy that the cluster's agent has and that has no work, so that it is counted and
   * deleted properly. Ships nothing of the Capp's spec. Does nothing where there is a work, on the Capp's own
   * site, and for a Capp that is gone or another object. A repeat finds its work. Throws Unreachable,
   * Forbidden, and Gone without the cluster's namespace.
   */
  takeUp(capp: CappRef, cluster: string): Promise<{ readonly taken: boolean }>;
  /**
   * Writes an agent's figures into the cluster's AddOnPlacementScores, where they differ enough or the
   * present ones are about to expire. Null, for an agent that did not answer: removes figures that have
   * expired, since OCM does not notice that by itself. Returns which objects were written. A repeat finds
   * what it wrote. Throws Unreachable, Conflict and Forbidden, and Gone without the namespace.
   */
  publishScore(
    cluster: string,
    measured: Measured | null,
    intervalSeconds: number,
  ): Promise<{ readonly written: readonly string[] }>;
  /**
   * Reports on a Capp that its workflow task keeps failing, with the remedy, and writes an event. Does
   * nothing to another object of that name, and writes nothing that is unchanged. A repeat finds what it
   * wrote. Throws Unreachable, Conflict and Forbidden.
   */
  sayFailing(capp: CappRef, how: { readonly startsOver: boolean }): Promise<void>;
  /**
   * Terminates that run of a Capp's workflow, and no other: the bridge starts the next. A repeat finds it
   * ended. Throws Unreachable.
   */
  startOver(capp: CappRef, runId: string): Promise<void>;
}

/** What an agent should wait for: news about exactly what was applied. */
export interface Question {
  readonly stamp: string;
  /** What the workflow already knows about this stamp. */
  readonly known: {
    readonly verdict: string;
    readonly reason: string;
    /** What the site lacked for the hostname, as a reason; absent if nothing. Matters while it is Ready. */
    readonly hostname?: string;
  } | null;
  /** Hash of the site's status that the hub has published. An answer with the same hash has no mirror. */
  readonly statusHash: string | null;
}

export interface Answer {
  readonly finding: Finding;
  /** A bounded projection of the site's status (16 KiB at most), or null when its hash is the known one. */
  readonly mirror: Readonly<Record<string, unknown>> | null;
}

/** Activities of the agent on one site. */
export interface Agent {
  /**
   * Waits until the Capp on this site has the stamp and its (verdict, reason) differs from the known one,
   * heartbeating. Throws nothing on purpose; a repeat looks again.
   */
  awaitVerdict(capp: CappRef, question: Question): Promise<Answer>;
  /**
   * The same, answered at once from a live read, even if nothing is new; null if the site has no such stamp.
   * Throws Unreachable while the site's API server does not answer, because it cannot know then. A repeat
   * reads again.
   */
  report(capp: CappRef, question: Question): Promise<Answer | null>;
  /**
   * What the site's nodes have left, and the figures that its operators add. The first call starts watches of
   * nodes and pods. Throws Unreachable while the site's API server does not answer; a repeat measures again.
   */
  measure(): Promise<Measured>;
}
