// Why a cluster that was decided for is left out all the same.
import type { Field } from './inputs.ts';

export type ExclusionReason = 'Hub' | 'Removed' | 'NotAccepted' | 'Avoided' | 'StillLeaving' | 'ToBeLeft';

/** Clusters left out for one reason: how many, and at most three by name. */
export interface Excluded {
  readonly reason: ExclusionReason;
  readonly count: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** Parts clusters into those that may be chosen and those that may not, with the reasons in a fixed order. */
export function excuse(field: Field, clusters: readonly string[], now: number): { kept: string[]; excluded: Excluded[] } {
  const kept: string[] = [];
  const byReason = new Map<ExclusionReason, string[]>();
  for (const cluster of [...new Set(clusters)].toSorted()) {
    const reason = exclusionOf(field, cluster, now);
    if (reason === null) kept.push(cluster);
    else byReason.set(reason, [...(byReason.get(reason) ?? []), cluster]);
  }
  const excluded = [...byReason].map(([reason, names]) => ({ reason, count: names.length, examples: names.slice(0, EXAMPLES) }));
  return { kept, excluded: excluded.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)) };
}

function exclusionOf(field: Field, cluster: string, now: number): ExclusionReason | null {
  const facts = field.clusters[cluster];
  if (facts === undefined || facts.deleting) return 'Removed';
  if (cluster === field.left) return 'ToBeLeft';
  if (facts.isHub) return 'Hub';
  if (!facts.accepted) return 'NotAccepted';
  if (field.works[cluster]?.leaving === true) return 'StillLeaving';
  return (field.avoid[cluster] ?? 0) > now ? 'Avoided' : null;
}
