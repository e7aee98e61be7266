// Why a decided cluster is left out of a choice.
import type { PlacementInputs } from './inputs.ts';

export type ExclusionReason =
  | 'Hub'
  | 'Removed'
  | 'NotAccepted'
  | 'Draining'
  | 'Avoided'
  | 'StillLeaving'
  | 'ToBeLeft';

/** Clusters left out for one reason: how many, and at most three by name. */
export interface Excluded {
  readonly reason: ExclusionReason;
  readonly count: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** Parts clusters into those that may be chosen and those that may not, with the reasons in a fixed order. */
export function excuse(
  inputs: PlacementInputs,
  clusters: readonly string[],
  now: number,
): { eligible: string[]; excluded: Excluded[] } {
  const eligible: string[] = [];
  const byReason = new Map<ExclusionReason, string[]>();
  for (const cluster of [...new Set(clusters)].toSorted()) {
    const reason = exclusionOf(inputs, cluster, now);
    if (reason === null) eligible.push(cluster);
    else byReason.set(reason, [...(byReason.get(reason) ?? []), cluster]);
  }
  const excluded = [...byReason].map(([reason, names]) => ({
    reason,
    count: names.length,
    examples: names.slice(0, EXAMPLES),
  }));
  return { eligible, excluded: excluded.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)) };
}

function exclusionOf(inputs: PlacementInputs, cluster: string, now: number): ExclusionReason | null {
  const facts = inputs.clusters[cluster];
  if (facts === undefined || facts.deleting) return 'Removed';
  if (cluster === inputs.left) return 'ToBeLeft';
  if (facts.isHub) return 'Hub';
  if (!facts.accepted) return 'NotAccepted';
  if (facts.draining) return 'Draining';
  if (inputs.works[cluster]?.leaving === true) return 'StillLeaving';
  return (inputs.avoid[cluster] ?? 0) > now ? 'Avoided' : null;
}
