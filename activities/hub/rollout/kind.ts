// What a kind on many sites brings to the one turn that all of them share: how its objects and copies are
// read, written, removed and told of.
import type { Happening } from '../../../crds/kubernetes/event.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { FleetRef, TurnAsk } from '../../../workflows/fleet/port.ts';
import type { RefusedCopy, RolloutMemory } from '../../../workflows/stages/memory.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import type { Look, RolloutMember, Sight } from './look.ts';
import type { HeardRequests, SteeredObject } from './requests.ts';
import type { RefusedRemoval } from './removing/unremoved.ts';

export type FleetStatus = RolloutFields & { readonly conditions?: readonly Condition[] };

export type FleetObject = KubeObject & { readonly status?: FleetStatus };

/** What is told of an object after a turn. */
export interface FleetNews {
  readonly status: FleetStatus;
  /** An event for its users; null if there is none. */
  readonly happening: Happening | null;
  /** One line of markdown for the Temporal UI: no manifest, and no value of one. */
  readonly says: string;
}

/** Why something cannot be shipped, for people. */
export interface RolloutRefusal {
  readonly reason: string;
  readonly message: string;
}

/** What became of a copy that was to be written: it is as it should be, or why it is not. */
export type Shipped<R extends RolloutRefusal = RolloutRefusal> =
  /** `version`: the resourceVersion; null if nothing was to be written. */
  | { readonly is: 'there'; readonly version: string | null }
  /** For good: another try of the same gets the same answer. */
  | { readonly is: 'refused'; readonly refusal: R }
  /** The API server could not write it this time: it is tried again. */
  | { readonly is: 'unwritten'; readonly refusal: R }
  /** Not to be written now: its turn has not come, or an earlier copy is still going, whose end rings. */
  | { readonly is: 'waits'; readonly refusal: R | null }
  /** Left to another turn, which follows: the object is no longer what was read, or no time was left. */
  | { readonly is: 'left' };

export interface RemovedCopies {
  /** So many copies could not be deleted yet. */
  readonly pending: number;
  /** Those that the API server does not let go. */
  readonly unremoved: readonly RefusedRemoval[];
  /**
   * Sites whose copies were to go and have become Ready since, or are that no longer: they are looked at
   * again.
   */
  readonly changed: readonly string[];
  /** Sites whose copies go when the site has answered to what it was told; its answer rings. */
  readonly unanswered?: readonly string[];
  /** There are more sites to tell. */
  readonly isMore?: boolean;
}

/** What a turn has done of a look, and how things look after it. */
export interface TurnOutcome<C, M extends RolloutMember, B> extends RemovedCopies {
  readonly look: Look<C, M, B>;
  /** The same with what could not be written. */
  readonly after: Look<C, M, B>;
  readonly shipped: ReadonlyMap<string, Shipped>;
  /** Requests that the status does not name yet. */
  readonly asked: HeardRequests['asked'];
}

/** An object that can be rolled out, as a turn has read it. */
export interface Rolling<O, C, M extends RolloutMember, B> {
  /** With all defaults. */
  readonly object: O & SteeredObject;
  readonly revision: string;
  readonly sight: Sight<C, M, B>;
  /** Whole names of revisions that the rollout may know by short ones. Throws ApiError. */
  wholeNames(rollout: Rollout | null): Promise<readonly string[]>;
  /** Keeps what the revision ships, and the revisions that are needed. Throws ApiError. */
  keep(needed: readonly (string | null)[]): Promise<void>;
  /** Those refusals that still count. Throws ApiError. */
  standing(refused: RolloutMemory['refused'], now: number): Promise<Readonly<Record<string, RefusedCopy>>>;
  /** The generation of a site's copy; null if it has none. */
  generationOf(member: M): number | null;
  /** Writes the copies that the plan names, at most `most`. Throws ApiError. */
  ship(object: O, look: Look<C, M, B>, most: number, now: number): Promise<ReadonlyMap<string, Shipped>>;
  /** Removes the copies that the look has released. Throws ApiError. */
  remove(object: O, look: Look<C, M, B>): Promise<RemovedCopies>;
  tell(object: O, outcome: TurnOutcome<C, M, B>, now: number): FleetNews;
  /** Further times to look again, in milliseconds since the epoch. */
  wakes(outcome: TurnOutcome<C, M, B>, now: number): readonly (number | null)[];
}

/** How the deletion of an object has gone on. */
export type DeletionEnding =
  | { readonly outcome: 'Gone' }
  /** The object lives after all. */
  | { readonly outcome: 'Alive' }
  | {
      readonly outcome: 'Leaving';
      /** Null if there is no object left to tell it of. */
      readonly told: FleetNews | null;
      /** There are more deletions to begin. */
      readonly isMore: boolean;
      readonly wakeAt: number;
    };

export interface Kind<O extends FleetObject, C, M extends RolloutMember, B> {
  readonly resource: Resource;
  readonly copies: Resource;
  readonly finalizer: string;
  /** The field manager of its statuses. */
  readonly fieldManager: string;
  isCaughtUp(versions: TurnAsk['minimumVersions'], ref: FleetRef): Promise<boolean>;
  /** `isAgain`: an earlier try may have written copies, so they are read live. Throws ApiError. */
  read(
    kube: Kube,
    ref: FleetRef,
    isAgain: boolean,
  ): Promise<{ readonly found: O | null; readonly copies: readonly C[] }>;
  /** What an object with these copies ships at present, or why it cannot be shipped. Throws ApiError. */
  prepare(
    kube: Kube,
    found: O,
    copies: readonly C[],
    memory: RolloutMemory,
  ): Promise<Rolling<O, C, M, B> | RolloutRefusal>;
  /** What is told of an object that cannot be shipped as it is. */
  tellRefused(object: O, refusal: RolloutRefusal, now: number): FleetNews;
  /** Goes on to delete an object that is being deleted or gone (null). Throws ApiError. */
  end(kube: Kube, ref: FleetRef, object: O | null, now: number): Promise<DeletionEnding>;
}
