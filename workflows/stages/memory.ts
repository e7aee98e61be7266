// What the workflow of an object with many sites remembers of its rollout. It holds nothing for each site but
// for those that failed to be written.
import type { Rollout } from './types.ts';

/** A copy that could not be written to its site. */
export interface RefusedCopy {
  readonly revision: string;
  readonly reason: string;
  /** Empty where others have the same reason and more sites are refused than a status names. */
  readonly message: string;
  /** Milliseconds since the epoch; of what is tried again, of the first try. */
  readonly at: number;
  /**
   * When the same is tried once more, in milliseconds since the epoch; absent if only another copy or a
   * person helps.
   */
  readonly retryAt?: number;
  /** Of the copy then; null if there was none of that object. */
  readonly generation: number | null;
  /**
   * The copy is there, and could not be asked for checks: which ones, as a digest, and for which try of them.
   */
  readonly asked?: { readonly round: string; readonly checks: string };
}

/** Removals within one minute. */
export interface RemovedAt {
  /** When the minute began, in milliseconds since the epoch. */
  readonly minute: number;
  readonly count: number;
  /** The most copies that there were before one of them; earlier versions did not note it. */
  readonly of?: number;
}

/** What the guard against mass removal remembers. */
export interface RemovalMemory {
  /** Removals of the last ten minutes that needed no permission, the newest minute first; eleven at most. */
  readonly recent: readonly RemovedAt[];
  /** How many more a person has allowed to go of the sites that `approved` names. */
  readonly allowed: number;
  /**
   * Exactly these sites, as a digest; null if nothing was allowed. Where `allowed` is used up, a person has
   * let others of them go, and none goes unasked until none is to go any more, whichever these are by then.
   */
  readonly approved: string | null;
  /** `numberOfClusters` of the Placement when it last selected so many; null if it has none. */
  readonly number: number | null;
  /** uid of the Placement that had `number`; null if that is not known. */
  readonly placement: string | null;
  /** How many more may go because the number was lowered. */
  readonly lowered: number;
}

export interface RolloutMemory {
  /** Of the object whose sites they are: another object of that name has no past. */
  readonly uid: string;
  readonly rollout: Rollout | null;
  /** Which sites are to go, as a digest, and since when exactly these. */
  readonly leaving: { readonly digest: string; readonly since: number } | null;
  readonly removal: RemovalMemory;
  /**
   * Sites whose copies did not go when they were to, the one that was tried last at the end: others go before
   * them. Absent if there are none.
   */
  readonly stuck?: readonly string[];
  /** By cluster. */
  readonly refused: Readonly<Record<string, RefusedCopy>>;
  /** The last requests that counted. */
  readonly handled: {
    readonly approve: string;
    readonly abort: string;
    readonly retry: string;
    readonly removal: string;
  };
}
