// The state of a drain. It is the workflow's only argument, so continue-as-new is a checkpoint. Times are
// milliseconds since the epoch.

/** How fast Capps are let go. */
export interface Lanes {
  /** At most so many Capps are under way at once. */
  readonly width: number;
  /** At most so many of them go to one site. */
  readonly perTarget: number;
  /** At most so many begin within a second. */
  readonly ratePerSecond: number;
}

/** A Capp that has not been let go. */
export interface Waiting {
  /** `<namespace>/<name>`. */
  readonly capp: string;
  /** The site it would go to, as far as is known. */
  readonly to: string | null;
  readonly priority: number;
  /** When it asked; null if it was found on the cluster and has yet to be told to leave. */
  readonly askedAt: number | null;
  /** It asked, and has been told to wait. */
  readonly isTold: boolean;
}

export interface Going {
  readonly to: string | null;
  readonly since: number;
  /** It asked for its turn; else it was told to leave, as a person wants. */
  readonly isAsked: boolean;
}

/** Where in the order of a drain a Capp stands: the higher priority first, then by namespace and name. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
}

/** A look through the cluster, page by page. */
export interface Listing {
  /** The last one that has been read; null before the first page. */
  readonly after: Place | null;
  /** A page that could not be read is left alone until then. */
  readonly notBefore: number;
  /**
   * The first look since a person asked: everybody found is told. Later ones tell those that have come since.
   */
  readonly isFirst: boolean;
  /** Who was known to stay when the look began; found again, they are not told again. */
  readonly before: Stays;
  /** Some were found who are to be told, or are under way: another look must follow. */
  readonly isBusy: boolean;
  /** Some were found who are about to be gone by themselves. */
  readonly isPassing: boolean;
}

/** `<namespace>/<name>` → why a Capp stays: a reason in CamelCase, and until when if that is known. */
export type Stays = Readonly<Record<string, string>>;

export interface DrainState {
  readonly version: 1;
  readonly cluster: string;
  /** A person wants everything off the cluster: Capps that do not ask are told to leave as well. */
  readonly everything: boolean;
  /** The order that hears how it ends, by its time; null if there is none. */
  readonly order: number | null;
  readonly begunAt: number;
  readonly lanes: Lanes;
  readonly paused: boolean;
  readonly stopped: boolean;
  /** In the order in which they are let go. */
  readonly waiting: readonly Waiting[];
  /** By `<namespace>/<name>`. */
  readonly going: Readonly<Record<string, Going>>;
  /** Null while no look is under way. */
  readonly listing: Listing | null;
  /**
   * The last look found nobody who has still to be told, or is under way: those that `stays` names are all
   * that is left.
   */
  readonly isClear: boolean;
  /**
   * Looks that have ended, and not before when the next may begin; those that are about to be gone are waited
   * for until `patience`.
   */
  readonly looks: number;
  readonly lookAt: number;
  readonly patience: number | null;
  /** How many were let go in the second that began then. */
  readonly second: { readonly since: number; readonly count: number };
  readonly moved: number;
  readonly stays: Stays;
  /** So many more stay than are remembered by name. */
  readonly unnamed: number;
  /** Messages that could not be read, if there were any. */
  readonly unreadable?: number;
  /** When anything was last heard of a Capp. */
  readonly heardAt: number;
}

/**
 * What a person gives to empty a cluster, and what a drain is begun with: the cluster, and lanes that differ
 * from the usual.
 */
export interface DrainStart extends Partial<Lanes> {
  readonly cluster: string;
}

/** An order to empty a cluster, as it has been read. */
export interface Order {
  readonly cluster: string;
  /** Only what differs from the lanes in force. */
  readonly lanes: Partial<Lanes>;
  /** Milliseconds since the epoch; tells it from an earlier order. */
  readonly since: number;
}

/** What an order has to say to the drain that carries it out. */
export type Word =
  | ({ readonly say: 'evacuate'; readonly order: number } & Partial<Lanes>)
  | { readonly say: 'pause' | 'resume' | 'stop' }
  | { readonly say: 'configure'; readonly lanes: Partial<Lanes> };

/** A drain's turns go before those of the Capps that wait for it: they stand in one task queue. */
export const DRAIN_PRIORITY = { priorityKey: 1 } as const;
