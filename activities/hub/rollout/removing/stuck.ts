// Copies that did not go when they were to, such as where the hub's API server refuses that: others go before
// they are tried again. One turn removes so many at most, and with these alone none would ever follow. Pure.
import { without } from './apart.ts';

/** Of what a look has released. */
export interface ReleasedNow {
  readonly clusters: readonly string[];
  readonly later: readonly string[];
  readonly awaited: readonly string[];
  readonly lost: readonly string[];
  readonly last: { readonly cluster: string } | null;
  /** Null: none is to go. */
  readonly leaving: object | null;
}

/** Those that did not go at last are tried last, and of them first what was tried longest ago. */
export function inTurn(open: readonly string[], stuck: readonly string[] = []): string[] {
  const known = new Set(open);
  return [...without(open, stuck), ...stuck.filter((cluster) => known.has(cluster))];
}

/** After a turn in which `missing`, of those that were to go, did not. */
export function stuckAfter(
  before: readonly string[] = [],
  { clusters, later, leaving }: Pick<ReleasedNow, 'clusters' | 'later' | 'leaving'>,
  missing: readonly string[],
): readonly string[] {
  if (leaving === null) return [];
  // None was tried: nobody knows of anything new.
  if (clusters.length === 0) return before;
  const left = new Set(later);
  return [...before.filter((cluster) => left.has(cluster)), ...missing];
}

/** Whether some may go now that were not tried since they were last known to be stuck. */
export function hasUntried(
  { later, awaited, lost, last }: Pick<ReleasedNow, 'later' | 'awaited' | 'lost' | 'last'>,
  stuck: readonly string[] = [],
): boolean {
  const others = new Set([...awaited, ...lost, ...stuck, ...(last === null ? [] : [last.cluster])]);
  return later.some((cluster) => !others.has(cluster));
}
