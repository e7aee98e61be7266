// Counts choices whose works the caches do not show yet, so that a burst of Capps spreads over the sites.
import { HUB_TIMES } from '../times.ts';

export interface PendingChoices {
  /** Remembers that a Capp is on its way to a cluster. */
  note(capp: string, cluster: string, now: number): void;
  /** How many Capps are on their way to a cluster, without those for which `isVisible` is true. */
  countOn(cluster: string, isVisible: (capp: string) => boolean): number;
  /** The cluster to which a Capp is on its way, or null. */
  placeOf(capp: string): string | null;
}

export function pending(): PendingChoices {
  const byCluster = new Map<string, Map<string, number>>();
  return {
    note(capp, cluster, now) {
      for (const capps of byCluster.values()) {
        capps.delete(capp);
        forget(capps, now);
      }
      const capps = byCluster.get(cluster) ?? new Map<string, number>();
      byCluster.set(cluster, capps.set(capp, now));
    },
    countOn(cluster, isVisible) {
      const capps = byCluster.get(cluster);
      if (capps === undefined) return 0;
      for (const capp of capps.keys()) if (isVisible(capp)) capps.delete(capp);
      return capps.size;
    },
    placeOf(capp) {
      for (const [cluster, capps] of byCluster) if (capps.has(capp)) return cluster;
      return null;
    },
  };
}

/** Entries are in the order in which they were noted, so the first young one ends the search. */
function forget(capps: Map<string, number>, now: number): void {
  for (const [capp, at] of capps) {
    if (now - at < HUB_TIMES.pendingChoice.ms) return;
    capps.delete(capp);
  }
}
