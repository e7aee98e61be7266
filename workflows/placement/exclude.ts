// Why a decided cluster is left out of a choice.
import { lackOf } from './fit.ts';
import type { PlacementInputs } from './inputs.ts';

export type ExclusionReason =
  | 'Hub'
  | 'Removed'
  | 'NotAccepted'
  | 'Unfit'
  | 'Draining'
  | 'Avoided'
  | 'StillLeaving'
  | 'NotHealthy'
  | 'ToBeLeft';

/** Clusters left out for one reason: how many, and at most three by name. */
export interface Excluded {
  readonly reason: ExclusionReason;
  readonly count: number;
  readonly examples: readonly string[];
  /**
   * With `Unfit`: the expression of `spec.requires` that does not hold on them. Absent from the entry of all
   * whose expression is not among the most frequent.
   */
  readonly failed?: string;
}

const EXAMPLES = 3;
/** So many expressions are told apart. */
const MOST_FAILED = 5;

interface Exclusion {
  readonly reason: ExclusionReason;
  readonly failed?: string;
}

/** Parts clusters into those that may be chosen and those that may not, with the reasons in a fixed order. */
export function sift(
  inputs: PlacementInputs,
  clusters: readonly string[],
  now: number,
): { eligible: string[]; excluded: Excluded[] } {
  const eligible: string[] = [];
  const groups = new Map<string, Exclusion & { readonly names: string[] }>();
  for (const cluster of [...new Set(clusters)].toSorted()) {
    const exclusion = exclusionOf(inputs, cluster, now);
    if (exclusion === null) eligible.push(cluster);
    else {
      const key = `${exclusion.reason} ${exclusion.failed ?? ''}`;
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { ...exclusion, names: [cluster] });
      else known.names.push(cluster);
    }
  }
  const excluded = [...groups.values()].map(({ names, ...exclusion }) => ({
    ...exclusion,
    count: names.length,
    examples: names.slice(0, EXAMPLES),
  }));
  return { eligible, excluded: bounded(excluded.toSorted(byReason)) };
}

/** By reason, and the most frequent expression first. */
function byReason(a: Excluded, b: Excluded): number {
  if (a.reason !== b.reason) return a.reason < b.reason ? -1 : 1;
  return b.count - a.count || ((a.failed ?? '') < (b.failed ?? '') ? -1 : 1);
}

/** Sites that fail in many ways must not fill a Capp's status. */
function bounded(excluded: readonly Excluded[]): Excluded[] {
  const unfit = excluded.filter(({ reason }) => reason === 'Unfit');
  if (unfit.length <= MOST_FAILED) return [...excluded];
  const rest = unfit.slice(MOST_FAILED);
  const together = {
    reason: 'Unfit',
    count: rest.reduce((sum, { count }) => sum + count, 0),
    examples: rest.flatMap(({ examples }) => examples).slice(0, EXAMPLES),
  } as const;
  return [...excluded.filter((entry) => !rest.includes(entry)), together];
}

function exclusionOf(inputs: PlacementInputs, cluster: string, now: number): Exclusion | null {
  const facts = inputs.clusters[cluster];
  if (facts === undefined || facts.deleting) return { reason: 'Removed' };
  if (cluster === inputs.left) return { reason: 'ToBeLeft' };
  if (facts.isHub) return { reason: 'Hub' };
  if (!facts.accepted) return { reason: 'NotAccepted' };
  const failed = lackOf(inputs.requires, facts);
  if (failed !== null) return { reason: 'Unfit', failed };
  const reason = passingReason(inputs, cluster, now);
  return reason === null ? null : { reason };
}

/** What ends by itself, or when somebody is done. */
function passingReason(inputs: PlacementInputs, cluster: string, now: number): ExclusionReason | null {
  if (inputs.clusters[cluster]?.draining === true) return 'Draining';
  if (inputs.works[cluster]?.leaving === true) return 'StillLeaving';
  if ((inputs.avoid[cluster] ?? 0) > now) return 'Avoided';
  const { reachable = true, tainted = false } = inputs.clusters[cluster] ?? {};
  return inputs.onlyHealthy === true && (!reachable || tainted) ? 'NotHealthy' : null;
}
