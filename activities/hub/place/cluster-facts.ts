// What is known of one cluster that could be chosen.
import {
  identityOf,
  LOCAL_CLUSTER,
  TAINT_UNAVAILABLE,
  TAINT_UNREACHABLE,
  type ManagedCluster,
} from '../../../crds/ocm/ocm.ts';
import type { ClusterFacts } from '../../../workflows/placement/inputs.ts';
import { isReachable } from '../retire/reach.ts';

/** The claim by which OCM's agents tell a cluster's identity: the uid of its kube-system Namespace. */
const ID_CLAIM = 'id.k8s.io';

export function factsOf(
  cluster: ManagedCluster,
  { hubUid, mayPin, draining }: { hubUid: string; mayPin: boolean; draining: boolean },
): ClusterFacts {
  const { metadata, spec } = cluster;
  const { taints = [] } = spec ?? {};
  return {
    isHub: isHubItself(cluster, hubUid),
    accepted: spec?.hubAcceptsClient === true,
    ...identityOf(cluster),
    deleting: metadata.deletionTimestamp !== undefined,
    reachable: isReachable(cluster),
    mayPin,
    draining,
    tainted: taints.some(
      ({ key, effect }) => effect === 'NoSelect' && key !== TAINT_UNAVAILABLE && key !== TAINT_UNREACHABLE,
    ),
  };
}

/** By OCM's name or label for it, or by the identity that it claims. */
export function isHubItself({ metadata, status }: ManagedCluster, hubUid: string): boolean {
  const claimsHub =
    status?.clusterClaims?.some(({ name, value }) => name === ID_CLAIM && value === hubUid) === true;
  return claimsHub || metadata.name === LOCAL_CLUSTER || metadata.labels?.[LOCAL_CLUSTER] === 'true';
}
