// A SIPCluster that is being deleted, or is gone: its site and its services go first, then its hosts are
// given back.
import { RESERVED_FOR } from '../../../crds/metal/labels.ts';
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, SIP_FINALIZER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import { removeFinalizers } from '../../../kube/finalizer.ts';
import type { SipTurned } from '../../../workflows/metal/port.ts';
import { HUB_TIMES } from '../times.ts';
import { chainOf } from './chain/see.ts';
import { walkBack } from './chain/walk.ts';
import { giveBackAll } from './giving-back.ts';
import { planOf, type Looking } from './ground.ts';
import { stopServing } from './services/serve.ts';
import { refusedBy, servicesLeft, siteLeaves } from './status.ts';
import { tell } from './tell.ts';

/** Of a SIPCluster that is gone, only what we reserved: the labels alone may be somebody's own. */
export async function retireLeft(kube: Kube, own: readonly BareMetalHost[], now: number): Promise<SipTurned> {
  const ours = own.filter(({ metadata }) => metadata.annotations?.[RESERVED_FOR] !== undefined);
  const refused = await giveBackAll(kube, ours);
  return refused === null
    ? { outcome: 'Gone' }
    : {
        outcome: 'Turned',
        needsHosts: false,
        wakeAt: now + HUB_TIMES.hostRefused.ms,
        says: refused.error.message,
      };
}

/** Null: something was written. Of a SIPCluster with a site: drained, detached and wiped first. */
export async function leave(
  kube: Kube,
  cluster: SipCluster,
  own: readonly BareMetalHost[],
  looking: Looking,
): Promise<SipTurned | null> {
  const { now } = looking;
  const chain = chainOf(cluster, own, false, looking);
  if (chain === null) return retire(kube, cluster, own, looking);
  const walked = await walkBack(kube, chain);
  if (walked.hasActed) return null;
  if (walked.isDone) return retire(kube, cluster, own, looking);
  const standing = siteLeaves(walked.report);
  const plan = planOf(cluster, own, looking);
  const told = await tell(kube, cluster, { standing, plan, now, chain: walked.report });
  return { ...told, wakeAt: now + HUB_TIMES.chain.ms };
}

/** Services first, then hosts. The finalizer goes when a list shows that no host is left. */
async function retire(
  kube: Kube,
  cluster: SipCluster,
  own: readonly BareMetalHost[],
  looking: Looking,
): Promise<SipTurned | null> {
  const { now, serves } = looking;
  const left = await stopServing(kube, cluster, serves);
  if (left !== null) {
    const standing = servicesLeft(left);
    const told = await tell(kube, cluster, { standing, plan: planOf(cluster, own, looking), now });
    return { ...told, wakeAt: now + HUB_TIMES.services.ms };
  }
  const refused = await giveBackAll(kube, own, cluster.spec.site === undefined ? null : cluster);
  if (refused !== null) {
    const standing = refusedBy(refused.host, refused.error, 'UnableToDecommission');
    const told = await tell(kube, cluster, { standing, plan: planOf(cluster, own, looking), now });
    return { ...told, wakeAt: now + HUB_TIMES.hostRefused.ms };
  }
  if (own.length > 0) return null;
  await removeFinalizers(kube, SIP_CLUSTER, cluster, [SIP_FINALIZER]);
  return { outcome: 'Turned', needsHosts: false, wakeAt: null, says: 'All hosts are given back.' };
}
