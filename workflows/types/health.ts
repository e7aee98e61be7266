// Of Capps that leave a site on which they are unhealthy (`spec.migration.unhealthy`): how a copy has been,
// and what was tried. Times are milliseconds since the epoch.

/**
 * By what its agent has reported of its present stamp. A copy that was never Ready has none: what is wrong
 * with it is not its site.
 */
export interface Health {
  /** Since when it is Ready; null if it is not, or if nobody has said so since a silence. */
  readonly readySince: number | null;
  /** When it was first reported as not Ready since it was Ready; null if it was not. */
  readonly illSince: number | null;
  /**
   * When the trouble began in which it is, or was within the last ten minutes that it was Ready. A silence
   * does not make it look newer than it is; absent before there was any.
   */
  readonly turnedAt?: number;
  /**
   * Restarts of its containers: in all Pods by the last report that counted them, and since the trouble
   * began. Absent before one did, and of Capps that do not leave for that.
   */
  readonly restarts?: { readonly seen: number; readonly since: number };
  /** When a review last knew that it is unhealthy for too long; absent before. */
  readonly lookedAt?: number;
  /** When to review it again without a ring; absent if only a ring can change the outcome. */
  readonly againAt?: number;
}

/**
 * Moves of one generation because it was unhealthy: from the first site to another one, and back. There is no
 * third site.
 */
export interface Healing {
  readonly generation: number;
  readonly from: string;
  readonly to: string;
  readonly moves: 1 | 2;
  /** By cluster, what was said of the Capp there: a reason and a sentence. */
  readonly said: Readonly<Record<string, string>>;
}

/** What a workflow tells of a Capp that is unhealthy for too long. */
export interface Illness {
  readonly since: number;
  /** When it turned unhealthy, for those that turned with it: at `since`, or before a silence. */
  readonly turnedAt?: number;
  /** The generation that is unhealthy. */
  readonly generation: number;
  /** What the site says of it: a reason and a sentence. */
  readonly says: string;
  readonly healing?: Healing;
}
