// The state of a drain. It is the workflow's only argument, so continue-as-new is a checkpoint. Times are
// milliseconds since the epoch.

/** How fast Capps get their turn. */
export interface Lanes {
  /** At most this many Capps are under way at once. */
  readonly width: number;
  /** At most this many of them move to one site. */
  readonly perTarget: number;
  /** At most this many begin within a second. */
  readonly ratePerSecond: number;
}

/** A Capp that has not had its turn. */
export interface WaitingCapp {
  /** `<namespace>/<name>`. */
  readonly capp: string;
  /** The site it would move to, as far as is known. */
  readonly to: string | null;
  readonly priority: number;
  /** When the Capp asked; null if it was listed on the cluster and still has to be told to leave. */
  readonly askedAt: number | null;
  /** The Capp asked, and has been told to wait. */
  readonly isTold: boolean;
}

export interface GoingCapp {
  readonly to: string | null;
  readonly since: number;
  /** True if the Capp asked for its turn; false if it was told to leave for a Drain. */
  readonly isAsked: boolean;
}

/** A Capp's place in the order of a drain: the higher priority first, then by namespace and name. */
export interface DrainPlace {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
}

/** A listing of the Capps on the cluster, page by page. */
export interface DrainListing {
  /** The last Capp that has been read; null before the first page. */
  readonly after: DrainPlace | null;
  /** The end of the backoff after a page that could not be read. */
  readonly notBefore: number;
  /**
   * The first listing for a Drain, which tells every Capp. Later ones tell those that have come since.
   */
  readonly isFirst: boolean;
  /** Capps known to stay when the listing began. They are not told again. */
  readonly before: Stays;
  /** The listing has Capps that are to be told, or are under way: another listing must follow. */
  readonly isBusy: boolean;
  /** The listing has Capps that are about to leave by themselves. */
  readonly isPassing: boolean;
}

/** `<namespace>/<name>` → why a Capp stays: a reason in CamelCase, and until when if that is known. */
export type Stays = Readonly<Record<string, string>>;

export interface DrainState {
  readonly version: 1;
  readonly cluster: string;
  /** A Drain orders the drain: Capps that do not ask are told to leave as well. */
  readonly everything: boolean;
  /** The uid of the Drain object that orders the drain, and hears how far it is; absent without one. */
  readonly drain?: string;
  /** The generation of that Drain that was heeded; absent where an earlier build did. */
  readonly generation?: number;
  /** The Drain object has to be read: it has changed or is gone, or the drain has just begun. */
  readonly isRung?: boolean;
  /**
   * Until then no Capp gets a permit, unless the Drain has been read: it may say that the drain is paused.
   * Absent once it has been read.
   */
  readonly readBy?: number;
  readonly begunAt: number;
  readonly lanes: Lanes;
  /**
   * The hub workers lagged behind: the lanes have been so wide since then, and widen again. Absent if they
   * did not.
   */
  readonly eased?: { readonly width: number; readonly at: number };
  readonly paused: boolean;
  readonly stopped: boolean;
  /** In the order in which they get their turn. */
  readonly waiting: readonly WaitingCapp[];
  /** By `<namespace>/<name>`. */
  readonly going: Readonly<Record<string, GoingCapp>>;
  /** Null while no listing is under way. */
  readonly listing: DrainListing | null;
  /** The last listing found no Capp that is to be told, or is under way: `stays` names all that are left. */
  readonly isClear: boolean;
  /**
   * Listings that have ended, and the earliest time of the next. Capps that are about to leave by themselves
   * are waited for until `patience`.
   */
  readonly looks: number;
  readonly lookAt: number;
  readonly patience: number | null;
  /** How many got their turn in the second that began then. */
  readonly second: { readonly since: number; readonly count: number };
  readonly moved: number;
  /**
   * The Capps counted last as moved, by `<namespace>/<name>`: their report may come twice. Absent before the
   * first.
   */
  readonly counted?: readonly string[];
  readonly stays: Stays;
  /** How many more stay than are remembered by name. */
  readonly unnamed: number;
  /** Messages that could not be read; absent if there were none. */
  readonly unreadable?: number;
  /** The time of the last message. */
  readonly heardAt: number;
}

/** The input of a drain: the cluster, and lanes that differ from the usual ones. */
export interface DrainStart extends Partial<Lanes> {
  readonly cluster: string;
}

/** A drain's activities come before those of Capps in the task queue that they share. */
export const DRAIN_PRIORITY = { priorityKey: 1 } as const;
