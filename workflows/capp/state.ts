// The state of a Capp's workflow. It is the workflow's only argument, so continue-as-new is a checkpoint and
// a reset needs no second path.
import type { HubReason, SiteReason } from '../../crds/capp/conditions.ts';
import type { DecisionRecord } from '../../crds/capp/status.ts';
import type { Annotated, AwaitingDrain, Handled, Leave, Move, MoveRecord, Request } from '../types/moves.ts';
import type { Loss } from '../types/outlook.ts';
import type { Cause } from '../types/ring.ts';

/** Which object on the hub. The uid tells it from a namesake made later. */
export interface CappRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** About the newest generation: whether it serves, cannot serve, or is on its way. */
export const VERDICTS = ['Ready', 'Failed', 'Progressing'] as const;
export type VerdictKind = (typeof VERDICTS)[number];

/**
 * A reason as a site of another version may say it: CamelCase, at most 64 characters. Only a parser makes
 * one.
 */
export type SaidReason =
  | SiteReason
  | 'NotObserved'
  | 'NoSiteOperator'
  | 'SiteUnreachable'
  | (string & { readonly saidBy: 'site' });

/** What an agent said of a copy, without the mirror of the site's status. */
export interface Finding {
  readonly verdict: VerdictKind;
  /** Some revision serves, whatever its generation: this is what the last healthy copy means. */
  readonly healthy: boolean;
  readonly reason: SaidReason;
  /** One sentence without container output, at most 256 bytes. */
  readonly message: string;
  /** Hash of the mirror that came with it. */
  readonly statusHash: string;
}

/** What the hub knows of the work of a copy. */
export interface WorkFacts {
  readonly uid: string;
  /** The work agent's Applied condition for the work's present generation. */
  readonly applied: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  /** It carries more than the Capp. */
  readonly withMore?: true;
  /** What the site's API server refused of it by Cappstan's own policies. */
  readonly refused?: { readonly reason: 'NotOurs' | 'OtherHub'; readonly message: string };
}

/** A Capp's work on one cluster, and what became of it there. Times are milliseconds since the epoch. */
export interface Copy {
  /** False once it is to go: an extra copy is removed when the serving one is healthy. */
  readonly wanted: boolean;
  /** As in `stamp.ts`, or null before the first apply. */
  readonly stamp: string | null;
  readonly generation: number;
  readonly appliedAt: number;
  /** By when this generation should be Ready. */
  readonly deadline: number;
  readonly work: WorkFacts | null;
  /** Null until the agent has spoken about exactly this stamp. */
  readonly finding: Finding | null;
  /** An earlier stamp of this copy served when it was last heard of: what an edit may not make forgotten. */
  readonly wasHealthy: boolean;
  /**
   * Its agent has spoken of this stamp, and since it last came to matter whether the copy can be relied on.
   */
  readonly heard: boolean;
  /** When its agent last spoke of this stamp; 0 if it never did, or if that counts no more. */
  readonly heardAt: number;
  /** Since when its agent has said that the site has no such stamp, or null. */
  readonly absentSince: number | null;
  /** Since when no agent answers for this copy, or null. */
  readonly silentSince: number | null;
  /** When that agent was last heard of by anybody, if that is known. */
  readonly seenAt?: number;
  /** Its work was there when the site was chosen, and has not been looked at. */
  readonly found?: true;
  /** With `Recreate`: the only copy that may run, chosen and not shipped yet. */
  readonly isSole?: true;
  /** How many rings had been heard when it was last applied. */
  readonly appliedAtRing: number;
  /** It was to be removed and could not be. */
  readonly failedRemoval?: FailedRemoval;
}

/** A removal that came to nothing: the copy stays a copy, and nothing is tried before `until`. */
export interface FailedRemoval {
  readonly until: number;
  readonly tries: number;
  /** The hub would not delete the work, or what the removal rested on was not so. */
  readonly reason: 'Refused' | 'Unconfirmed';
  /** One sentence for people. */
  readonly message: string;
}

/**
 * A work that was seen being deleted: since when that is known, and how many rings had been heard when it was
 * last looked at. What may still run there is waited for; nothing is deleted on the ground that it stands
 * here.
 */
export interface Leaving {
  readonly since: number;
  readonly lookedAtRing: number;
  /** Its cluster was gone or out of reach when it was last looked at. */
  readonly lost?: Loss;
  /** A person has given the copy up although its cluster can be reached. */
  readonly givenUp?: true;
}

/**
 * Until when (milliseconds since the epoch) or until which ring nothing is tried, and how often in a row it
 * failed.
 */
export interface Backoff {
  readonly until: number;
  readonly tries: number;
  readonly ringsHeard: number;
  /**
   * Since when, in milliseconds since the epoch, choices have found the caches behind what rang; absent if
   * something else failed.
   */
  readonly behindSince?: number;
}

/** What a choice came to; the short form of a decision record. */
export interface Placing {
  readonly reason: HubReason;
  readonly message: string;
}

/** Why the hub could not ship what the Capp asks for. */
export interface Refusal {
  readonly reason: HubReason;
  readonly message: string;
}

export type Phase = 'Placing' | 'RollingOut' | 'Ready' | 'Degraded' | 'Moving' | 'Paused' | 'Deleting';

export interface State {
  readonly version: 1;
  readonly capp: CappRef;
  /** Rung and not yet looked at, in the order of `CAUSES`. */
  due: readonly Cause[];
  /** Messages from outside that could not be read. */
  unreadable: number;
  /** Rings heard, and rings answered by a read begun after them. Rest needs both to be equal. */
  ringsHeard: number;
  ringsAnswered: number;
  /**
   * Rings heard when it was last looked whether the Capp should be elsewhere; -1 makes it look whatever was
   * heard.
   */
  ringsReviewed: number;
  /** Kind → the newest resourceVersion that an unanswered ring has named. */
  minimumVersions: Readonly<Record<string, string>>;
  /** The newest generation read live; 0 before the first read. */
  generation: number;
  copies: Record<string, Copy>;
  /** Clusters whose work is being deleted: they are no copies, only waited for. */
  leaving: Record<string, Leaving>;
  /** The cluster whose copy users are sent to. */
  serving: string | null;
  /** The site was chosen because `spec.site` names it. */
  pinned: boolean;
  /**
   * `spec.site` as it was when the present site was chosen: another one is a person asking. Null before the
   * first choice.
   */
  placedFor: string | null;
  /** What a person asked for and no look has answered yet. */
  request: Request | null;
  /** The request answered last, and how. */
  handled: Handled | null;
  annotated: Annotated;
  /** The site a person asked for last: the Capp does not leave it only because a decision has. */
  pin: string | null;
  /** Why it stays although somebody might expect otherwise; null in the plain case. */
  stays: Placing | null;
  /** Clusters with a copy that were gone or out of reach at the last look. */
  unreachable: readonly string[];
  /** Of these clusters, since when that is known. */
  awaySince: Readonly<Record<string, number>>;
  /** The Capp should be elsewhere, and waits for its turn. */
  leave: Leave | null;
  /** A migration in progress. */
  move: Move | null;
  lastMove: MoveRecord | null;
  /**
   * Clusters whose drain counts on the Capp, until it has heard what came of that; absent while there is
   * none.
   */
  awaitedBy?: Readonly<Record<string, AwaitingDrain>>;
  /** When the Capp last moved, whatever was tried since; null if it never did. */
  movedAt: number | null;
  /** Clusters not to be chosen, and until when. */
  avoid: Record<string, number>;
  placing: Placing | null;
  refused: Refusal | null;
  paused: boolean;
  /** The Capp is being deleted or is gone: nothing but its works' removal is left to do. */
  retiring: boolean;
  /**
   * A work may have been made that no answer told of: where the Capp has works is read live before a site is
   * chosen.
   */
  mayHaveWorks: boolean;
  /** A step that could not be done is left alone for a while. */
  backoff: Backoff | null;
  /**
   * When the newest word for users was decided, in milliseconds since the epoch: later with every word, so
   * that an older one replaces none.
   */
  statusDecidedAt: number;
  /**
   * Fingerprint of what was last published, so that nothing is written when nothing changed; empty if
   * something else stands there now.
   */
  published: string | null;
  /** Hash of the site's status last published. */
  mirrored: string | null;
}

/** What a run is begun with. */
export type Start = State & {
  /** A choice of the run before that nobody has read of yet. */
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
