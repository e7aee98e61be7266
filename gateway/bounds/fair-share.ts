// Who goes on next: in each turn of the process one call of each site, so that a call waits for one of every
// other site at most, however many they have under way.

export interface FairShare {
  /** Resolves when it is the turn of a call of this site: at once if none of its calls had this one. */
  take(cluster: string): Promise<void>;
}

/** `next` runs what it is given when the process has read what has come in meanwhile. */
export function fairShare(next: (work: () => void) => void = setImmediate): FairShare {
  const waiting = new Map<string, (() => void)[]>();
  // Had this turn.
  const served = new Set<string>();
  const turn = (): void => {
    served.clear();
    for (const [cluster, calls] of waiting) {
      served.add(cluster);
      calls.shift()?.();
      if (calls.length === 0) waiting.delete(cluster);
    }
    if (served.size > 0) next(turn);
  };
  return {
    take: (cluster) => {
      if (!served.has(cluster)) {
        if (served.size === 0) next(turn);
        served.add(cluster);
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const calls = waiting.get(cluster);
        if (calls === undefined) waiting.set(cluster, [resolve]);
        else calls.push(resolve);
      });
    },
  };
}
