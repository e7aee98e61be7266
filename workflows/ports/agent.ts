// The activities of the agent as the workflows need them.
import type { CappRef } from '../capp/state.ts';
import type { Finding } from '../types/copy.ts';
import type { MeasuredSite } from '../score/measured.ts';
import type { Check, Figures } from '../types/verification.ts';
import type { Inspected, InspectQuestion } from '../types/inspection.ts';

/** What an agent should wait for: news about exactly what was applied. */
export interface ReportQuestion {
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
  /** The answer is to say how often the containers of its Pods have restarted. */
  readonly restarts?: true;
  /** If the site has no such stamp, the answer is to say whether anything of this Capp is there. */
  readonly gone?: true;
}

/** The site has nothing of this Capp: neither this stamp nor one before it. Said only if it was asked. */
export interface NothingThere {
  readonly gone: true;
}

export interface Answer {
  readonly finding: Finding;
  /** A bounded projection of the site's status (16 KiB at most), or null when its hash is the known one. */
  readonly mirror: Readonly<Record<string, unknown>> | null;
}

/** Which checks of exactly what was applied. */
export interface VerifyQuestion {
  readonly stamp: string;
  readonly checks: readonly Check[];
}

/** What was counted, of each check that was asked for. */
export interface CountedChecks {
  readonly figures: readonly Figures[];
}

/** Activities of the agent on one site. */
export interface Agent {
  /**
   * Waits until the Capp on this site has the stamp and its (verdict, reason) differs from the known one,
   * heartbeating. Throws nothing on purpose; a repeat looks again.
   */
  awaitVerdict(capp: CappRef, question: ReportQuestion): Promise<Answer>;
  /**
   * The same, answered at once from a live read, even if nothing is new; null if the site has no such stamp,
   * and `NothingThere` if that was asked and nothing of this Capp is there. Throws Unreachable while the
   * site's API server does not answer, because it cannot know then. A repeat reads again.
   */
  report(capp: CappRef, question: ReportQuestion): Promise<Answer | NothingThere | null>;
  /**
   * What the site's nodes have left, and the figures that its operators add. The first call starts watches of
   * nodes and pods. Throws Unreachable while the site's API server does not answer; a repeat measures again.
   */
  measure(): Promise<MeasuredSite>;
  /**
   * Makes the checks of the app, each at its own interval, heartbeating; ends early when one has failed. Null
   * if the site does not have exactly that stamp, or has it no more. Throws Unreachable while the site's API
   * server does not answer. A repeat, such as after a restart of the agent, begins again and counts anew.
   */
  verify(capp: CappRef, question: VerifyQuestion): Promise<CountedChecks | null>;
  /**
   * The same where some of the checks are queries to the site's Prometheus. An agent of an earlier version
   * has no such activity: it would take each query for a request to the app.
   */
  verifyMetrics(capp: CappRef, question: VerifyQuestion): Promise<CountedChecks | null>;
  /**
   * What a drill asks of the site: what nodes have left, quotas of namespaces, whether images are there and
   * kinds served. Reads alone. Throws Unreachable while the site's API server does not answer, and Forbidden.
   * A repeat reads again.
   */
  inspect(question: InspectQuestion): Promise<Inspected>;
}
