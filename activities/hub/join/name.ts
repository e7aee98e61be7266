// Whose name a cluster may not have that somebody has made without being a person.
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { LOCAL_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { isReservedNamespace } from '../../../crds/reserved-namespaces.ts';
import type { Kube } from '../../../kube/client.ts';

/** OCM's, on the namespace that it makes for a ManagedCluster: its name. */
const OCM_CLUSTER = 'open-cluster-management.io/cluster-name';

export interface NameFault {
  readonly reason: 'NameReserved' | 'NameTaken';
  readonly message: string;
}

/**
 * OCM makes a namespace of the cluster's name, and its agent gets rights there: it may be nobody else's.
 * Null: the name is free. Throws ApiError.
 */
export async function nameFault(kube: Kube, name: string, what: string): Promise<NameFault | null> {
  const reserved = (message: string): NameFault => ({ reason: 'NameReserved', message });
  if (name === LOCAL_CLUSTER)
    return reserved(`${what} may not be called ${name}: by that the hub knows itself.`);
  if (isReservedNamespace(name))
    return reserved(`${what} may not be called ${name}, which is a name of the cluster’s own components.`);
  const namespace = await kube.get(NAMESPACE, { namespace: null, name });
  if (namespace === null || namespace.metadata.labels?.[OCM_CLUSTER] === name) return null;
  return {
    reason: 'NameTaken',
    message: `Namespace ${name} is there, and is not of a ManagedCluster: the agent of the site would get rights in it.`,
  };
}
