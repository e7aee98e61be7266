// Takes sites that are left apart by whether they have still to answer. Pure.

/** Those that may be left now, and those whose sites have still to answer (`awaited`), in order. */
export function apart(
  clusters: readonly string[],
  awaited: readonly string[] = [],
): readonly [open: string[], waiting: string[]] {
  const open = without(clusters, awaited);
  return [open, without(clusters, open)];
}

export function without(clusters: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return clusters.filter((cluster) => !left.has(cluster));
}
