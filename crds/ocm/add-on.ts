// Names of our add-on and of its scores. Placements refer to the scores, so their names are the Go
// operator's.

/** The name of our ManagedClusterAddOn, and of everything that the chart creates for it. */
export const ADD_ON = 'cappstan';

/**
 * The AddOnPlacementScores of a cluster, both with the same figures: the Go add-on wrote the first, its
 * documentation named the second.
 */
export const SCORE_OBJECTS = ['resource-usage-score', 'rcs-score'] as const;

/** The figures that every agent measures. */
export const CPU_AVAILABLE = 'cpuAvailable';
export const MEMORY_AVAILABLE = 'memAvailable';
