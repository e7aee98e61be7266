// The activities of the hub worker as the workflows need them. Workflows own these interfaces; activities
// implement them.
import type { Reason } from '../../crds/capp/conditions.ts';
import type { DecisionRecord } from '../../crds/capp/decision.ts';
import type { MeasuredSite } from '../score/measured.ts';
import type { DrainPort } from '../drain/port.ts';
import type { Drills } from '../drill/port.ts';
import type { Fleets } from '../fleet/port.ts';
import type { Joins } from '../join/port.ts';
import type { Metal } from '../metal/port.ts';
import type { CappRef, State } from '../capp/state.ts';
import type { CleanupOutlook } from '../types/outlook.ts';
import type { ChoiceAsk, Choice } from './choice.ts';
import type { Placed, Applied } from './applied.ts';
import type { Inventory, Compared } from '../types/ring.ts';
import type { Grounds, RemovedWorks, WorksFound } from '../types/removals.ts';
import type { Identified } from '../identity/order.ts';

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
    } & Partial<CleanupOutlook>)
  /** The Capp lives, with the same uid and no deletionTimestamp: the ring was stale. */
  | { readonly outcome: 'Alive' }
  | { readonly outcome: 'Replaced'; readonly uid: string };

/**
 * Activities of the hub worker. All of them may run twice, late, and beside their successor. A try ends
 * before its timeout, and throws Unreachable then. Its writes rest on what it has read.
 */
export interface Hub extends DrainPort, Drills, Fleets, Joins, Metal {
  /**
   * Chooses a cluster from caches, so it can be a local activity. Only before a Capp waits for the removal of
   * an earlier copy are the works that are being removed read live. Throws nothing on purpose: a choice that
   * cannot be made is an outcome with a reason. A read that fails is one of `Behind` caches, and is tried
   * again.
   */
  choose(capp: CappRef, ask: ChoiceAsk): Promise<Choice>;
  /**
   * For a Capp without a site: `choose`, and `apply` there if that is the next step. A repeat finds its own
   * work, or chooses again if there is none. Throws as `apply` does.
   */
  place(capp: CappRef, state: State): Promise<Placed>;
  /**
   * Reads the Capp and its dependencies live, confirms the finalizer, creates the cluster's ManifestWork or
   * patches it as it was read before all that goes into it, and publishes the status. A repeat finds its own
   * work and writes what is still missing; a late one finds what is newer and ships that. Writes nothing, and
   * answers `Unwarranted`, where nothing in Kubernetes says that the Capp may be there. Throws Unreachable
   * and Conflict; Forbidden, Invalid, and Gone without the cluster's namespace, with the generation
   * (`RefusedGeneration`).
   */
  apply(capp: CappRef, cluster: string, state: State, record: DecisionRecord | null): Promise<Applied>;
  /**
   * Writes the Capp's status and events for `state`. Skips what is unchanged, and all of it if the status is
   * newer (`state.statusDecidedAt`). Throws Unreachable and Conflict.
   */
  publish(capp: CappRef, state: State, publication: Publication): Promise<void>;
  /**
   * Deletes the Capp's works and, when none is left, releases the finalizer. Reads the Capp live first and
   * does nothing if it lives. Releases works on lost clusters that annotation `rcs.dana.io/abandon` names. A
   * repeat deletes what is left. `minimumVersions` is how new a cache must be to say where no work is left;
   * without it, as from an earlier build, that is read live. Throws Unreachable and Conflict.
   */
  retire(capp: CappRef, minimumVersions?: State['minimumVersions']): Promise<Retired>;
  /**
   * Deletes this Capp's work on clusters where it is no longer wanted, if a fresh read finds that the grounds
   * hold and that the Capp's status says that it serves where a copy stays: otherwise it answers with an
   * `objection`, and so does a repeat that comes late. Without a copy that stays, the Capp itself must live,
   * ask for `Recreate`, not be paused, and its status must say that it moves. A repeat in time deletes what
   * is left. Throws Unreachable, Conflict and Forbidden; what it has not deleted then is unchanged.
   */
  remove(capp: CappRef, clusters: readonly string[], grounds: Grounds): Promise<RemovedWorks>;
  /**
   * Leads the DNS record of the Capp’s hostname to the cluster, by caches that have reached the minimum
   * versions, if the Capp’s live status says that it serves there, so that a try that comes late changes
   * nothing. Makes the record, or patches it as it was read; never deletes and makes it again. Removes
   * records of earlier hostnames. Writes nothing that is unchanged, so a repeat only looks. Throws
   * Unreachable, Conflict, Forbidden and Invalid.
   */
  point(capp: CappRef, cluster: string, minimumVersions: Readonly<Record<string, string>>): Promise<Pointed>;
  /**
   * Finds the Capp's works by a live read, on these clusters, or on all for null. Deletes nothing. Releases
   * works being deleted on lost clusters that annotation `rcs.dana.io/abandon` names, and works that no work
   * agent ever held. A repeat looks again. Throws Unreachable and Forbidden.
   */
  find(capp: CappRef, clusters: readonly string[] | null): Promise<WorksFound>;
  /**
   * Returns the Capps of an inventory that differ from what the hub last published, and those that the hub
   * has seen on that site and that are missing from it. Does no I/O, so a repeat compares again.
   */
  compare(cluster: string, inventory: Inventory): Promise<Compared>;
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
    measured: MeasuredSite | null,
    intervalSeconds: number,
  ): Promise<{ readonly written: readonly string[] }>;
  /**
   * Keeps the identity of the cluster's agent: its ServiceAccount, and a work that brings a token for the
   * gateway to the site. Makes a new token when half of the life of the last one is over, or when the site
   * does not trust the gateway's certificate yet; otherwise writes nothing, and so does a repeat. The token
   * is in no answer. Throws Unreachable, also while the gateway has no certificate yet, Conflict and
   * Forbidden, and Gone without the cluster's namespace.
   */
  identify(cluster: string): Promise<Identified>;
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
