// What a ClusterJoin has made, told from what somebody else has: by annotations that name it.
import { tokenKey } from '../../../crds/join/bootstrap-token.ts';
import type { ClusterJoin } from '../../../crds/join/cluster-join.ts';
import { FOR_JOIN, JOIN_OF, JOIN_TOKEN } from '../../../crds/join/labels.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';

/** Of the last token that was made for the cluster; '': none was. */
export function tokenIdOf({ metadata }: ManagedCluster): string {
  return metadata.annotations?.[JOIN_TOKEN] ?? '';
}

/** That token, as long as it is there. Only its metadata leaves the server. */
export async function tokenUnder(kube: Kube, managed: ManagedCluster): Promise<KubeObject | null> {
  const id = tokenIdOf(managed);
  return id === '' ? null : kube.getMetadata(SECRET, tokenKey(id));
}

export function isOf(managed: ManagedCluster | null, join: ClusterJoin): managed is ManagedCluster {
  return managed !== null && managed.metadata.annotations?.[JOIN_OF] === join.metadata.uid;
}

/** The token was made for this ClusterJoin. */
export function isFor({ metadata }: KubeObject, join: ClusterJoin): boolean {
  return metadata.annotations?.[FOR_JOIN]?.endsWith(`/${join.metadata.uid ?? ''}`) === true;
}
