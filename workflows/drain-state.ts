// The state of a drain. It is the workflow's only argument, so continue-as-new is a checkpoint. Times are milliseconds since the epoch.

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
}

/** Where in the order of a drain a Capp stands: the higher priority first, then by namespace and name. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
}

/** The Capps on the cluster are being read page by page. */
export interface Listing {
  /** The last one that has been read; null before the first page. */
  readonly after: Place | null;
  /** A page that could not be read is left alone until then. */
  readonly notBefore: number;
}

export interface DrainState {
  readonly version: 1;
  readonly cluster: string;
  /** A person wants everything off the cluster: Capps that do not ask are told to leave as well. */
  readonly everything: boolean;
  readonly begunAt: number;
  readonly lanes: Lanes;
  readonly paused: boolean;
  readonly stopped: boolean;
  /** In the order in which they are let go. */
  readonly waiting: readonly Waiting[];
  /** By `<namespace>/<name>`. */
  readonly going: Readonly<Record<string, Going>>;
  /** Null when there is nothing more to read. */
  readonly listing: Listing | null;
  /** How many were let go in the second that began then. */
  readonly second: { readonly since: number; readonly count: number };
  readonly moved: number;
  /** Why → how many did not move. */
  readonly stayed: Readonly<Record<string, number>>;
  /** The last of those that did not move. */
  readonly named: readonly { readonly capp: string; readonly why: string }[];
  /** When anything was last heard of a Capp. */
  readonly heardAt: number;
}

/** What a drain is begun with: by a person with the cluster alone, who may set the lanes. */
export interface DrainStart extends Partial<Lanes> {
  readonly cluster: string;
  /** False for one that only answers those that ask. */
  readonly everything?: boolean;
}

/** A drain's turns go before those of the Capps that wait for it: they stand in one task queue. */
export const DRAIN_PRIORITY = { priorityKey: 1 } as const;

/** For a drain that Capps begin: it lets go those that ask. */
export function initialDrain(cluster: string): DrainStart {
  return { cluster, everything: false };
}
