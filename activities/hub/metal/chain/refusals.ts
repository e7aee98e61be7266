// What a SIPCluster may not ask for its site, and what else on the way only a person can mend.
import { REUSE_NAME } from '../../../../crds/join/labels.ts';
import { formerSentence } from '../../../../crds/join/name-record.ts';
import { SITE_CAME } from '../../../../crds/metal/labels.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { LOCAL_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { formerOf } from '../../join/former.ts';
import { nameFault } from '../../join/name.ts';
import type { Chain } from './see.ts';
import { foreignLabels } from './site-labels.ts';

/** What only a person can mend, in the words of the condition that it belongs to. */
export class ChainFault extends Error {
  readonly reason: 'BadUserData' | 'NoHubAddress' | 'BadLabels' | 'NameReserved' | 'NameTaken' | 'Stuck';

  constructor(reason: ChainFault['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The site of this SIPCluster may have its own name again: what is made is not accepted, and its agent is let
 * in by a person alone. Throws ChainFault and ApiError.
 */
export async function mayHaveName(kube: Kube, { cluster, site: { name }, now }: Chain): Promise<void> {
  const fault = await nameFault(kube, name, 'A site');
  if (fault === null)
    return reusesName(cluster) || wasItsSite(cluster) ? undefined : refuseFormer(kube, name, now);
  const { reason, message } = fault;
  const more = reason === 'NameTaken' ? ' Or delete that namespace if nothing of it is needed.' : '';
  throw new ChainFault(
    reason,
    `${message} A name cannot be changed: delete the SIPCluster, and write another with another name.${more}`,
  );
}

/** Somebody has said of the SIPCluster that nobody has a certificate for the name of its site any more. */
export function reusesName({ metadata }: SipCluster): boolean {
  return metadata.annotations?.[REUSE_NAME] === 'true';
}

/** The agent that had the name before is that of the hosts which are there. */
function wasItsSite({ metadata: { annotations = {}, uid = '' } }: SipCluster): boolean {
  return annotations[SITE_CAME] === uid;
}

async function refuseFormer(kube: Kube, name: string, now: number): Promise<void> {
  const until = await formerOf(kube, name, { uid: null, now });
  if (until !== null)
    throw new ChainFault(
      'NameTaken',
      `spec.site.name: ${formerSentence(name, until)} If nobody has it any more, as after its hosts were wiped, annotate this SIPCluster with ${REUSE_NAME}=true. Otherwise delete it, and write another with another name.`,
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
