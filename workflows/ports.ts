// The activities as the workflows need them. Workflows own these interfaces; activities implement them.
import type { HubReason } from '../crds/capp/conditions.ts';
import type { DecisionRecord } from '../crds/capp/status.ts';
import type { StayReason } from './placement/outcome.ts';
import type { PlacementHistory } from './placement/outcome.ts';
import type { Leaving } from './drain/port.ts';
import type { Annotated, Handled, LeaveReason, MoveRecord, Request, Terms } from './types/moves.ts';
import type { Audit, Compared } from './types/ring.ts';
import type { Outlook } from './types/outlook.ts';
import type { Found, FoundWork, Grounds, Removed } from './types/removals.ts';
import type { CappRef, Finding, State, WorkFacts } from './capp/state.ts';
import type { Measured } from './score/measured.ts';

/**
 * What a choice may rest on: rings heard say how new the caches must be, the rest is what only the workflow
 * knows.
 */
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
  /** Works that no cache may show, or show otherwise: read live, or known to be going. */
  readonly works: readonly FoundWork[];
  /**
   * What the workflow knows of a Capp that has a site, and where it counts copies; null to choose its first.
   */
  readonly history:
    | (PlacementHistory & { readonly annotated: Annotated; readonly copies: readonly string[] })
    | null;
}

/** What stands in the Capp's status for a workflow that remembers nothing. */
export interface Memory {
  readonly placedFor: string | null;
  readonly pin: string | null;
  readonly annotated: Annotated;
  readonly lastMove: MoveRecord | null;
}

export type Choice =
  /** The caches have not caught up with what rang: ask again in a moment. */
  | { readonly outcome: 'Behind' }
  /**
   * No such Capp in a cache that is new enough, or another under its name, or it is being deleted: a live
   * read must confirm it.
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
       * Present with `Recreate`: nothing is shipped there before this choice is in the history, since a
       * repeated choice may be another.
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
  /** The Capp should be elsewhere: `to` if it is not null. */
  | {
      readonly outcome: 'Leaves';
      readonly reason: LeaveReason;
      readonly message: string;
      readonly to: string | null;
      readonly pinned: boolean;
      readonly record: DecisionRecord;
      readonly terms: Terms;
      readonly request: Request | null;
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
      /** The work was made by this try; a repeat finds what an earlier one has made. */
      readonly created: boolean;
      /** Seconds that this generation may take to become Ready. */
      readonly deadlineSeconds: number;
      readonly work: WorkFacts;
      /** When the hub read the Capp, in milliseconds since the epoch. */
      readonly at: number;
    }
  /** What the Capp asks for cannot be shipped as it is; `reason` is a condition's. */
  | {
      readonly outcome: 'Refused';
      readonly generation: number;
      readonly reason: HubReason;
      readonly message: string;
      readonly at: number;
    }
  /** `rcs.dana.io/paused` freezes the Capp. */
  | { readonly outcome: 'Paused'; readonly generation: number; readonly at: number }
  /** The work there is being deleted: nothing may be written to it. */
  | { readonly outcome: 'Leaving'; readonly generation: number; readonly at: number }
  /** The Capp is being deleted or is gone. */
  | { readonly outcome: 'Deleted' }
  /** A namesake with another uid stands in its place. */
  | { readonly outcome: 'Replaced'; readonly uid: string };

/** What became of a Capp that was nowhere. */
export interface Placed {
  readonly choice: Choice;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  /** What came of shipping the Capp there at once; null if something else comes first. */
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
   * Works that the sites have still to clean up; pending if one has to be made ready first, or its agent is
   * just at it: to be repeated soon.
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
 * before Temporal gives it up, and throws Unreachable then; what it writes rests on what it has read.
 */
export interface Hub extends Leaving {
  /**
   * Picks a cluster from what the caches hold; does no I/O, so that it can be a local activity. Never throws
   * on purpose: a choice that cannot be made is an outcome with a reason.
   */
  choose(capp: CappRef, ask: Ask): Promise<Choice>;
  /**
   * For a Capp that is nowhere: `choose`, and `apply` there if that is the next step. A repeat finds its own
   * work, or chooses anew if there is none. Throws as `apply` does.
   */
  place(capp: CappRef, state: State): Promise<Placed>;
  /**
   * Reads the Capp and its dependencies live, confirms the finalizer, creates the cluster's ManifestWork or
   * patches it as it was read before all that goes into it, and publishes where the Capp stands. A repeat
   * finds its own work and writes what is still missing; a late one finds what is newer and ships that.
   * Throws Unreachable and Conflict; Forbidden, Invalid, and Gone without the cluster's namespace, which say
   * the generation (`RefusedOf`).
   */
  apply(capp: CappRef, cluster: string, state: State, record: DecisionRecord | null): Promise<Applied>;
  /**
   * Writes the Capp's status and events for `state`; skips what already stands there, and all of it if
   * something newer stands there (`state.told`). Throws Unreachable and Conflict.
   */
  publish(capp: CappRef, state: State, publication: Publication): Promise<void>;
  /**
   * Deletes the Capp's works and, when none is left, releases the finalizer. Reads the Capp live first and
   * does nothing to one that lives. Works on clusters that are lost and that annotation `rcs.dana.io/abandon`
   * names are let go. A repeat deletes what is left. Throws Unreachable and Conflict.
   */
  retire(capp: CappRef): Promise<Retired>;
  /**
   * Deletes this Capp's work on clusters where it is no longer wanted, if a fresh read finds that its grounds
   * hold: answers `kept` otherwise, and so does a repeat that comes late. Without a copy that stays, the Capp
   * itself must live, ask for `Recreate` and not be frozen. A repeat in time deletes what is left. Throws
   * Unreachable, Conflict and Forbidden; what it has not deleted then is as it was.
   */
  remove(capp: CappRef, clusters: readonly string[], grounds: Grounds): Promise<Removed>;
  /**
   * Where the Capp has works, read live: on these clusters, or on all for null. Deletes nothing. What is
   * being deleted on a cluster that is lost and that annotation `rcs.dana.io/abandon` names is let go, and so
   * is what nobody on its cluster ever held. A repeat looks again. Throws Unreachable and Forbidden.
   */
  find(capp: CappRef, clusters: readonly string[] | null): Promise<Found>;
  /**
   * Which Capps of an audit look different from what the hub last published of them, and which the hub has
   * seen on that site are not in it. Does no I/O, so a repeat compares again.
   */
  compare(cluster: string, audit: Audit): Promise<Compared>;
  /**
   * Makes a work for a copy that the cluster's agent has and no work explains, so that it is counted and
   * deleted properly. Ships nothing of what the Capp asks for. Does nothing where there is a work, on the
   * Capp's own site, and for a Capp that is gone or is another. A repeat finds its work. Throws Unreachable,
   * Forbidden, and Gone without the cluster's namespace.
   */
  takeUp(capp: CappRef, cluster: string): Promise<{ readonly taken: boolean }>;
  /**
   * Writes what an agent has measured into the cluster's AddOnPlacementScores, where it differs enough or
   * what stands there is about to expire. Null, for an agent that did not answer: takes away figures that
   * have expired, since OCM does not notice that by itself. Says which objects were written. A repeat finds
   * what it wrote. Throws Unreachable, Conflict and Forbidden, and Gone without the namespace.
   */
  publishScore(
    cluster: string,
    measured: Measured | null,
    intervalSeconds: number,
  ): Promise<{ readonly written: readonly string[] }>;
  /**
   * Says on a Capp that its workflow's task fails again and again, with the remedy, and notes an event. Does
   * nothing to a namesake, and writes nothing that stands there. A repeat finds what it wrote. Throws
   * Unreachable, Conflict and Forbidden.
   */
  sayFailing(capp: CappRef, how: { readonly startsOver: boolean }): Promise<void>;
  /**
   * Ends that run of a Capp's workflow, and no other: the bridge begins the next. A repeat finds it ended.
   * Throws Unreachable.
   */
  startOver(capp: CappRef, runId: string): Promise<void>;
}

/** What an agent should wait for: news about exactly what was applied. */
export interface Question {
  readonly stamp: string;
  /** What the asker has already heard about this stamp. */
  readonly known: { readonly verdict: string; readonly reason: string } | null;
  /**
   * Hash of the site's status that the hub has published; the mirror is left out of an answer that has the
   * same.
   */
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
   * Waits until the Capp on this site carries the stamp and (verdict, reason) is other than known,
   * heartbeating. Throws nothing on purpose; a repeat looks again.
   */
  awaitVerdict(capp: CappRef, question: Question): Promise<Answer>;
  /**
   * The same, answering at once with what a live read finds, even if it is known; null when that read finds
   * no such stamp. Throws Unreachable while the site's API server does not answer: what it cannot know it
   * does not say. A repeat reads again.
   */
  report(capp: CappRef, question: Question): Promise<Answer | null>;
  /**
   * What the site's nodes have left, and the figures that its operators add. The first call begins to watch
   * nodes and pods. Throws Unreachable while the site's API server does not answer; a repeat measures again.
   */
  measure(): Promise<Measured>;
}
