// A Capp's copy on one cluster: its work, and what its site reports.
import type { SiteReason } from '../../crds/capp/conditions.ts';
import type { Health } from './health.ts';
import type { ClusterLoss } from './outlook.ts';
import type { VerificationOrder, Verification } from './verification.ts';

/** The state of the newest generation: it serves, cannot serve, or is not Ready yet. */
export const VERDICTS = ['Ready', 'Failed', 'Progressing'] as const;

export type VerdictKind = (typeof VERDICTS)[number];

/**
 * A condition reason from a site, maybe of another version: CamelCase, at most 64 characters. Only a parser
 * makes one.
 */
export type SaidReason =
  | SiteReason
  | 'NotObserved'
  | 'NoSiteOperator'
  | 'SiteUnreachable'
  | (string & { readonly saidBy: 'site' });

/** An agent's report on a copy, without the mirror of the site's status. */
export interface Finding {
  readonly verdict: VerdictKind;
  /** Some revision serves, whatever its generation. The rule about the last healthy copy uses this. */
  readonly healthy: boolean;
  readonly reason: SaidReason;
  /** One sentence without container output, at most 256 bytes. */
  readonly message: string;
  /** Hash of the mirror that came with it. */
  readonly statusHash: string;
  /**
   * What the site lacks to answer for the Capp's hostname as asked: its route, or its certificate. Absent if
   * it lacks nothing, if the Capp asks for no hostname, and while the verdict is not Ready.
   */
  readonly hostname?: { readonly reason: SaidReason; readonly message: string };
  /** How often the containers of its Pods have restarted; absent unless asked for, and if it is not known. */
  readonly restarts?: number;
}

/** What the hub knows of the work of a copy. */
export interface WorkFacts {
  readonly uid: string;
  /** The work agent's Applied condition for the work's present generation. */
  readonly applied: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  /** It carries more than the Capp. */
  readonly withMore?: true;
  /** What the site refused of it: its API server, or OCM for the rights of the executor. */
  readonly refused?: {
    readonly reason: 'NamespaceClosed' | 'NotAllowed' | 'NotOurs' | 'OtherHub' | 'Rejected';
    readonly message: string;
    /** By a quota, a policy or a lack of rights, which somebody may mend there. Absent if it is for good. */
    readonly mayPass?: true;
  };
  /**
   * It was refused as another hub's, and the Capp goes for that. No answer in the history of an earlier build
   * says so, and such a run goes on as it did: which commands follow is decided by the answer itself.
   */
  readonly isOthers?: true;
  /**
   * And before the Capp goes for that, its site is asked whether anything of it is there, if that is
   * possible. No answer in the history of an earlier build says so.
   */
  readonly asksThere?: true;
}

/** A Capp's work on one cluster, and what became of it there. Times are milliseconds since the epoch. */
export interface Copy {
  /** False once the copy is to be removed. An extra copy is removed when the serving one is healthy. */
  readonly wanted: boolean;
  /** As in `stamp.ts`, or null before the first apply. */
  readonly stamp: string | null;
  readonly generation: number;
  readonly appliedAt: number;
  /** By when this generation should be Ready. */
  readonly deadline: number;
  readonly work: WorkFacts | null;
  /** Null until the agent has reported on exactly this stamp. */
  readonly finding: Finding | null;
  /**
   * An earlier stamp of this copy served by the last report. An edit must not make the workflow forget that.
   */
  readonly wasHealthy: boolean;
  /**
   * An earlier stamp was sent there, its work was found or was made by an apply whose answer was lost, or it
   * served and its hub's Capp is there no more: whether it is on the site, and serves, nobody has said since.
   * Counts while the site refuses what is shipped now as another hub's.
   */
  readonly mayBeThere?: true;
  /** The agent has reported on this stamp since it last mattered whether the copy can be relied on. */
  readonly heard: boolean;
  /**
   * When the agent last reported on this stamp; 0 if it never did, or if the report does not count any more.
   */
  readonly heardAt: number;
  /** Since when the agent reports that the site has no such stamp, or null. */
  readonly absentSince: number | null;
  /** Since when no agent answers for this copy, or null. */
  readonly silentSince: number | null;
  /**
   * When its agent was asked whether it serves before it is removed. A report since then (`heardAt`) is the
   * answer. Absent if it was not asked, if there was no report, and if the copy was wanted or shipped anew
   * since.
   */
  readonly askedAt?: number;
  /** When the agent last polled Temporal, if that is known. */
  readonly seenAt?: number;
  /** The work existed when the site was chosen, and has not been looked at. */
  readonly found?: true;
  /** With `Recreate`: the only copy that may run, chosen and not shipped yet. */
  readonly isSole?: true;
  /** How many rings had been heard when it was last applied. */
  readonly appliedAtRing: number;
  /** What is to be verified of this stamp; absent if nothing is. */
  readonly order?: VerificationOrder;
  /** By when its agent should have answered, in milliseconds since the epoch; absent before it is asked. */
  readonly verifyBy?: number;
  /** The verdict on this stamp, by that order. */
  readonly verification?: Verification;
  /** Absent before this stamp was Ready, and of Capps that do not leave when they are unhealthy. */
  readonly health?: Health;
  /** Its removal was tried and failed. */
  readonly failedRemoval?: FailedRemoval;
}

/** A removal that failed. The copy stays a copy, and nothing is tried before `until`. */
export interface FailedRemoval {
  readonly until: number;
  readonly tries: number;
  /** The hub refused to delete the work, or the grounds of the removal did not hold. */
  readonly reason: 'Refused' | 'Unconfirmed';
  /** One sentence for people. */
  readonly message: string;
}

/**
 * A work that is being deleted: since when that is known, and how many rings had been heard when it was last
 * looked at. What may still run there is waited for. Its existence is no ground to delete anything.
 */
export interface Leaving {
  readonly since: number;
  readonly lookedAtRing: number;
  /** Its cluster was gone or out of reach when it was last looked at. */
  readonly lost?: ClusterLoss;
  /** A person has abandoned the copy although its cluster can be reached. */
  readonly givenUp?: true;
}
