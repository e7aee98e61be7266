// What to expect of clusters that have still to clean up after a Capp.

/** Why a cluster does not clean up: it is no managed cluster any more, or cannot be reached. */
export type ClusterLoss = 'Gone' | 'Unreachable';

export interface CleanupOutlook {
  readonly lost: Readonly<Record<string, ClusterLoss>>;
  /** Clusters that a person has abandoned although they can be reached. They clean up by themselves. */
  readonly givenUp: readonly string[];
}
