// What the workflow of an object with many sites remembers of its rollout. It holds nothing for each site but for those
// that failed to be written.
import type { Rollout } from './types.ts';

/** A copy that could not be written to its site. */
export interface Refused {
  readonly revision: string;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of the copy then; null if there was none of that object. */
  readonly generation: number | null;
}

/** Removals of the last ten minutes. Times are in milliseconds since the epoch. */
export interface Removal {
  readonly since: number;
  readonly count: number;
  /** How many more a person has allowed. */
  readonly allowed: number;
  /** `numberOfClusters` of the Placement when its decision was last followed; null if it has none. */
  readonly number: number | null;
}

export interface RolloutMemory {
  /** Of the object whose sites they are: another object of that name has no past. */
  readonly uid: string;
  readonly rollout: Rollout | null;
  /** Which sites are to go, as a digest, and since when exactly these. */
  readonly leaving: { readonly digest: string; readonly since: number } | null;
  readonly removal: Removal;
  /** By cluster. */
  readonly refused: Readonly<Record<string, Refused>>;
  /** The last requests that counted. */
  readonly handled: {
    readonly approve: string;
    readonly abort: string;
    readonly retry: string;
    readonly removal: string;
  };
}
