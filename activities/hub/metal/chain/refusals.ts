// What a SIPCluster may not ask for its site, and what else on the way only a person can mend.
import type { SipSite } from '../../../../crds/metal/site.ts';
import { LOCAL_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { nameFault } from '../../join/name.ts';
import { foreignLabels } from './site-labels.ts';

/** What only a person can mend, in the words of the condition that it belongs to. */
export class ChainFault extends Error {
  readonly reason: 'BadUserData' | 'NoHubAddress' | 'BadLabels' | 'NameReserved' | 'NameTaken' | 'Stuck';

  constructor(reason: ChainFault['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Throws ChainFault and ApiError. */
export async function mayHaveName(kube: Kube, { name }: SipSite): Promise<void> {
  const fault = await nameFault(kube, name, 'A site');
  if (fault === null) return;
  const { reason, message } = fault;
  const more = reason === 'NameTaken' ? ' Or delete that namespace if nothing of it is needed.' : '';
  throw new ChainFault(
    reason,
    `${message} A name cannot be changed: delete the SIPCluster, and write another with another name.${more}`,
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
