// What the planner of rollouts is asked, and what it answers.
import type { HoldReason, StageState, Strategy } from '../../crds/rollout/stages.ts';

/** A site as it is seen now. */
export interface Target {
  readonly cluster: string;
  /** Of the managed cluster. */
  readonly labels: Readonly<Record<string, string>>;
  readonly reachable: boolean;
  /** With which its copy was last written; null: it has none yet. */
  readonly revision: string | null;
  /** About exactly that revision; Progressing when what is known is about an earlier one. */
  readonly verdict: 'Ready' | 'Progressing' | 'Failed';
  /**
   * In milliseconds since the epoch. Of a Ready site: when it became Ready. Otherwise the later of when
   * `revision` was written and when it was last Ready.
   */
  readonly since: number;
  /** When its copy was last written, in milliseconds since the epoch; without it, `since` stands for that. */
  readonly writtenAt?: number;
  /**
   * Its copy has `revision` in a form that no longer fits the site, such as after a change of the site's
   * labels.
   */
  readonly isStale?: boolean;
  /**
   * Its copy says that it was written at a time that is yet to come. It is written again, forward and back,
   * whatever it has: no deadline could be counted from then.
   */
  readonly isMisdated?: boolean;
  /** Since when its copy is being deleted; it is written again when it is gone. */
  readonly leavingSince?: number;
  /** Nothing new is placed there. */
  readonly isDrained?: boolean;
  /**
   * It is no longer selected. It is given nothing, and counts only for as long as the revision that it has
   * may be why it cannot be reached.
   */
  readonly isUnselected?: boolean;
  /** It is not seen to be Ready only because nothing can be heard of it. */
  readonly isUnseen?: boolean;
  /** Since when it cannot be reached, where that is known. */
  readonly lostSince?: number;
  /** Its copy is to run nothing, so there is nothing that could be asked by checks. */
  readonly isDisabled?: boolean;
  /** The same of the copy that the newest revision would give it. */
  readonly isToBeDisabled?: boolean;
  /** Which checks its copy was last asked for, as it is now, and how they ended. */
  readonly verification?: SeenVerification;
}

/** Which checks are to be made of a copy: all of it names what a verdict is about. */
export interface VerifyAsk {
  readonly cluster: string;
  readonly revision: string;
  readonly round: string;
  /** The list as JSON. */
  readonly checks: string;
}

export interface SeenVerification extends Omit<VerifyAsk, 'cluster'> {
  /** By when there should be a verdict, in milliseconds since the epoch. */
  readonly until: number;
  /** The verdict on exactly this; null while there is none. */
  readonly result: {
    readonly verdict: 'Passed' | 'Failed' | 'Inconclusive';
    /** Milliseconds since the epoch. */
    readonly at: number;
    /** One sentence, with the figures. */
    readonly says: string;
  } | null;
}

/** A revision on its way to all sites: at most 10 KiB, however many sites there are. */
export interface Rollout {
  /** Where to. */
  readonly revision: string;
  /** The last revision that every site had that could be reached; null before the first. */
  readonly settled: string | null;
  /** The one that was settled before `settled`; null if there is none. */
  readonly before: string | null;
  /** Back: the sites that were changed get `settled`. */
  readonly direction: 'Forward' | 'Back';
  /** In milliseconds since the epoch. */
  readonly begunAt: number;
  /** Revisions that were begun after `settled` and never came to their end; the newest first, ten at most. */
  readonly halfway: readonly string[];
  /** Names of stages, for this revision. */
  readonly approved: readonly string[];
  /**
   * Stage → when a person last approved it, in milliseconds since the epoch: what was inconclusive by then
   * lets it pass. Only of stages with checks; absent while there is none.
   */
  readonly decided?: Readonly<Record<string, number>>;
  /** Names of stages that passed: for this revision they are not opened again. */
  readonly closed: readonly string[];
  readonly paused: boolean;
  /** `revision` is given to no further site. */
  readonly aborted: boolean;
  /** Cluster, or `*` for all → when a person asked to try once more. */
  readonly retries: Readonly<Record<string, number>>;
  /** Why it goes back, as a sentence; null while it goes forward. */
  readonly cause: string | null;
  /** The settled revision goes through the stages once more, for sites where its content no longer fits. */
  readonly isResettling?: boolean;
  /**
   * When that began, in milliseconds since the epoch; earlier builds did not note it. It stays while another
   * revision that was begun meanwhile is on its way.
   */
  readonly resettledAt?: number;
}

export interface PlanInput {
  readonly targets: readonly Target[];
  /** With its defaults. */
  readonly strategy: Strategy;
  readonly rollout: Rollout;
  /** The uid of the object whose sites they are: it chooses the sites of stages by percent and by count. */
  readonly seed: string;
}

export interface Advance {
  readonly cluster: string;
  /** To be written to the site now. */
  readonly revision: string;
}

/** Why nothing more is done at present. */
export interface Hold {
  readonly reason: HoldReason;
  /** Says what would help. */
  readonly message: string;
  /** When it ends by itself, in milliseconds since the epoch; null when that is not known. */
  readonly until: number | null;
}

export interface StageProgress {
  readonly name: string;
  readonly state: StageState;
  readonly sites: number;
  /** Ready at the revision of the rollout, or on the way back at the earlier one. */
  readonly ready: number;
  readonly underWay: number;
  readonly failed: number;
  /** Unreachable, and not counted among the others. */
  readonly offline: number;
}

export interface StagePlan {
  /** In order. Empty when nothing is to be written. */
  readonly advance: readonly Advance[];
  /** Copies that are to be checked now, and were not asked for that yet; absent if there is none. */
  readonly verify?: readonly VerifyAsk[];
  /** Sites whose checks keep the open stage; absent if none do. */
  readonly checking?: readonly string[];
  /**
   * Sites that are no longer selected, and were lost with the revision: they still count. Absent if none
   * does.
   */
  readonly lost?: readonly string[];
  /** Its new state. It is the same object when nothing changed. */
  readonly rollout: Rollout;
  /** Null when `done`. */
  readonly hold: Hold | null;
  /** When to plan again at the latest, in milliseconds since the epoch; null: when something changes. */
  readonly wakeAt: number | null;
  readonly stages: readonly StageProgress[];
  /** Every site that can be reached has `rollout.revision`, and is Ready or has failed within the bounds. */
  readonly done: boolean;
}
