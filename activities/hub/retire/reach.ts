// Tells whether a managed cluster can be expected to act on a work, by its OCM conditions. Pure.
import {
  AVAILABLE,
  TAINT_UNAVAILABLE,
  TAINT_UNREACHABLE,
  type ManagedCluster,
} from '../../../crds/ocm/ocm.ts';
import type { Key } from '../../../kube/resource.ts';
import type { ClusterLoss } from '../../../workflows/types/outlook.ts';

/** It is available, and OCM has not tainted it as unavailable or unreachable. */
export function isReachable({ spec, status }: ManagedCluster): boolean {
  const isAway = (spec?.taints ?? []).some(
    ({ key }) => key === TAINT_UNAVAILABLE || key === TAINT_UNREACHABLE,
  );
  return !isAway && status?.conditions?.find(({ type }) => type === AVAILABLE)?.status === 'True';
}

/** The same of the cluster of that name; false for one that is none. */
export function isReachableIn(
  { clusters }: { readonly clusters: { get(key: Key): ManagedCluster | undefined } },
  name: string,
): boolean {
  const found = clusters.get({ namespace: null, name });
  return found !== undefined && isReachable(found);
}

/**
 * Since when it has not been reachable, in milliseconds since the epoch; null if it is, and if that is not
 * known.
 */
export function lostSince(cluster: ManagedCluster): number | null {
  const available = cluster.status?.conditions?.find(({ type }) => type === AVAILABLE);
  const since = Date.parse(available?.lastTransitionTime ?? '');
  return isReachable(cluster) || Number.isNaN(since) ? null : since;
}

/** Since when it is reachable, in the same way; null if it is not. */
export function reachableSince(cluster: ManagedCluster): number | null {
  const available = cluster.status?.conditions?.find(({ type }) => type === AVAILABLE);
  const since = Date.parse(available?.lastTransitionTime ?? '');
  return !isReachable(cluster) || Number.isNaN(since) ? null : since;
}

/** Null for a reachable cluster. A reachable cluster that is being removed still cleans up. */
export function lossOf(cluster: ManagedCluster | null): ClusterLoss | null {
  if (cluster === null) return 'Gone';
  return isReachable(cluster) ? null : 'Unreachable';
}
