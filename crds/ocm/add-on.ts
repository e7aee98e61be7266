// What a site's score is called on the hub: Placements name these objects and figures, so they are the Go operators'.

/** The name of its ManagedClusterAddOn in a cluster's namespace, and of all that the chart makes for it. */
export const ADD_ON = 'cappstan';

/** The AddOnPlacementScores of a cluster, both with the same figures: the Go add-on wrote the first, its documentation named the second. */
export const SCORE_OBJECTS = ['resource-usage-score', 'rcs-score'] as const;

/** The figures that every agent measures. */
export const CPU_AVAILABLE = 'cpuAvailable';
export const MEMORY_AVAILABLE = 'memAvailable';
