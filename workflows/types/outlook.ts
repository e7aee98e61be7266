// What to expect of clusters that have still to clean up after a Capp.

/** Why nobody on a cluster cleans up: it is no managed cluster any more, or cannot be reached. */
export type Loss = 'Gone' | 'Unreachable';

export interface Outlook {
  readonly lost: Readonly<Record<string, Loss>>;
  /** Clusters that a person has given up, and that can be reached: they clean up by themselves. */
  readonly givenUp: readonly string[];
}
