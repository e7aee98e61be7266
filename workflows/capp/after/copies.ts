// Copies as they are recorded: new, to be shipped again, found, and leaving. Pure.
import type { State } from '../state.ts';
import type { Copy, Leaving } from '../../types/copy.ts';

export const NEW_COPY: Copy = {
  wanted: true,
  stamp: null,
  generation: 0,
  appliedAt: 0,
  deadline: 0,
  work: null,
  finding: null,
  wasHealthy: false,
  heard: false,
  heardAt: 0,
  silentSince: null,
  absentSince: null,
  appliedAtRing: -1,
};

/** Marks the copies to be shipped, whatever was answered before. */
export function toBeShipped(copies: State['copies'], clusters: readonly string[]): State['copies'] {
  const again = clusters.flatMap((cluster): [string, Copy][] => {
    const copy = copies[cluster];
    return copy === undefined ? [] : [[cluster, { ...copy, appliedAtRing: -1 }]];
  });
  return { ...copies, ...Object.fromEntries(again) };
}

export function leavingSince(
  state: State,
  clusters: readonly string[],
  { now, ringsHeard }: { now: number; ringsHeard: number },
): State['leaving'] {
  return Object.fromEntries(
    clusters.map((cluster): [string, Leaving] => [
      cluster,
      { since: state.leaving[cluster]?.since ?? now, lookedAtRing: ringsHeard },
    ]),
  );
}

/** A work that the state did not have is a copy that is not wanted. */
export function unexplained({ copies }: State, clusters: readonly string[]): State['copies'] {
  const unknown = clusters.filter((cluster) => copies[cluster] === undefined);
  return Object.fromEntries(unknown.map((cluster) => [cluster, { ...NEW_COPY, wanted: false }]));
}
