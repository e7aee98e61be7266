// Whether the site of a work has applied it as it is now. Pure.
import { conditionOf } from '../../../crds/kubernetes/core.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';

export type ManifestStatus = NonNullable<
  NonNullable<NonNullable<ManifestWork['status']>['resourceStatus']>['manifests']
>[number];

/**
 * The work agent has applied the work's present generation completely, or those manifests that matter. That
 * it has looked is not enough: it gives an object up, or takes it, only when it has applied it. Where it may
 * not, or conflicts with somebody, or stops after a few conflicts since many works share the object, it still
 * owns the object, or does not own it yet, until it tries again (seen with 1.2.1).
 */
export function isDone(
  { metadata: { generation }, status }: ManifestWork,
  matters: (one: ManifestStatus) => boolean,
): boolean {
  const applied = conditionOf(status?.conditions, 'Applied');
  if (applied?.observedGeneration !== generation) return false;
  if (applied?.status === 'True') return true;
  const those = (status?.resourceStatus?.manifests ?? []).filter(matters);
  return those.length > 0 && those.every((one) => isApplied(one, generation));
}

/** The same of every manifest that the work has, whatever the work agent says of the work as a whole. */
export function isDoneWhole({ metadata: { generation }, spec, status }: ManifestWork): boolean {
  const those = status?.resourceStatus?.manifests ?? [];
  const carried = spec?.workload.manifests ?? [];
  return those.length === carried.length && those.every((one) => isApplied(one, generation));
}

function isApplied({ conditions }: ManifestStatus, generation: number | undefined): boolean {
  const applied = conditionOf(conditions, 'Applied');
  return applied?.status === 'True' && applied.observedGeneration === generation;
}
