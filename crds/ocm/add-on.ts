// Our add-on, by which OCM brings agent and site operator to a cluster.

/** The name of its ManagedClusterAddOn in a cluster's namespace, and of all that the chart makes for it. */
export const ADD_ON = 'cappstan';
