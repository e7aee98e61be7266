// What a SIPCluster may not ask for its site, and what else on the way only a person can mend.
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { LOCAL_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { isReservedNamespace } from '../../../../crds/reserved-namespaces.ts';
import type { Kube } from '../../../../kube/client.ts';
import { foreignLabels } from './site-labels.ts';

/** OCM's, on the namespace that it makes for a ManagedCluster: its name. */
const OCM_CLUSTER = 'open-cluster-management.io/cluster-name';

/** What only a person can mend, in the words of the condition that it belongs to. */
export class ChainFault extends Error {
  readonly reason: 'BadUserData' | 'NoHubAddress' | 'BadLabels' | 'NameReserved' | 'NameTaken' | 'Stuck';

  constructor(reason: ChainFault['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * OCM makes a namespace of the site's name, and the site's agent gets rights there: it may be nobody else's.
 * Throws ChainFault and ApiError.
 */
export async function mayHaveName(kube: Kube, { name }: SipSite): Promise<void> {
  const other = 'A name cannot be changed: delete the SIPCluster, and write another with another name.';
  if (name === LOCAL_CLUSTER)
    throw new ChainFault(
      'NameReserved',
      `A site may not be called ${name}: by that the hub knows itself. ${other}`,
    );
  if (isReservedNamespace(name))
    throw new ChainFault(
      'NameReserved',
      `A site may not be called ${name}, which is a name of the cluster’s own components. ${other}`,
    );
  const namespace = await kube.get(NAMESPACE, { namespace: null, name });
  if (namespace === null || namespace.metadata.labels?.[OCM_CLUSTER] === name) return;
  throw new ChainFault(
    'NameTaken',
    `Namespace ${name} is there, and is not of a ManagedCluster: the agent of the site would get rights in it. ${other} Or delete that namespace if nothing of it is needed.`,
  );
}

/** Throws ChainFault. */
export function mayHaveLabels(site: SipSite): void {
  const [key] = foreignLabels(site);
  if (key !== undefined)
    throw new ChainFault(
      'BadLabels',
      `spec.site.labels may not have ${key}: labels of OCM and of Cappstan say what a cluster is, and ${LOCAL_CLUSTER} that it is the hub. Take it out; a ManagedClusterSet has its own field, clusterSet.`,
    );
}
