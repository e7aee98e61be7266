// One look at a SIPCluster: gives back what it has beyond what it wants, and says how it stands.
import { RESERVED_FOR } from '../../../crds/labels.ts';
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, SIP_FINALIZER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import { isForbidden, isInvalid, retryOnConflict, type ApiError } from '../../../kube/failure.ts';
import { removeFinalizers } from '../../../kube/finalizer.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import type { SipRef, SipTurned } from '../../../workflows/metal/port.ts';
import { planHosts, type HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { HUB_TIMES } from '../times.ts';
import { asksOf, isOf, readGround, seenHosts } from './ground.ts';
import { giveBack } from './reservation.ts';
import { NO_HOSTS_SERVED, publish, refusedBy, standingOf, statusOf, type SipReport } from './status.ts';

type Turned = Extract<SipTurned, { outcome: 'Turned' }>;

const NOT_SERVED: Turned = {
  outcome: 'Turned',
  needsHosts: false,
  wakeAt: null,
  says: 'The hub does not serve SIPClusters.',
};

/** `now` gives milliseconds since the epoch. Throws ApiError. */
export async function turn(kube: Kube, ref: SipRef, now: () => number): Promise<SipTurned> {
  for (;;) {
    const turned = await retryOnConflict(() => look(kube, ref, now()));
    if (turned !== null) return turned;
  }
}

/** Null: hosts have been given back, so what was read is not so any more. */
async function look(kube: Kube, ref: SipRef, now: number): Promise<SipTurned | null> {
  const ground = await readGround(kube, ref);
  if (ground === null) return NOT_SERVED;
  const { cluster, hosts } = ground;
  const own = (hosts ?? []).filter((host) => isOf(host, ref));
  if (cluster === null) return retireLeft(kube, own, now);
  if (cluster.metadata.deletionTimestamp !== undefined) return retire(kube, cluster, own, now);
  if (hosts === null) return tell(kube, cluster, { standing: NO_HOSTS_SERVED, plan: null, now });
  return settle(kube, cluster, hosts, now);
}

/** Of a SIPCluster that is gone, only what we reserved: the labels alone may be somebody's own. */
async function retireLeft(kube: Kube, own: readonly BareMetalHost[], now: number): Promise<SipTurned> {
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

/** The finalizer goes when a list shows that no host is left. */
async function retire(
  kube: Kube,
  cluster: SipCluster,
  own: readonly BareMetalHost[],
  now: number,
): Promise<SipTurned | null> {
  const refused = await giveBackAll(kube, own);
  if (refused !== null) {
    const standing = refusedBy(refused.host, refused.error, 'UnableToDecommission');
    const told = await tell(kube, cluster, { standing, plan: planOf(cluster, own, now), now });
    return { ...told, wakeAt: now + HUB_TIMES.hostRefused.ms };
  }
  if (own.length > 0) return null;
  await removeFinalizers(kube, SIP_CLUSTER, cluster, [SIP_FINALIZER]);
  return { outcome: 'Turned', needsHosts: false, wakeAt: null, says: 'All hosts are given back.' };
}

async function settle(
  kube: Kube,
  cluster: SipCluster,
  hosts: readonly BareMetalHost[],
  now: number,
): Promise<Turned | null> {
  const plan = planOf(cluster, hosts, now);
  const surplus = hosts.filter((host) => plan.release.includes(keyTextOf(host)));
  const refused = await giveBackAll(kube, surplus);
  if (refused !== null) {
    const standing = refusedBy(refused.host, refused.error, 'UnableToApplyLabels');
    const told = await tell(kube, cluster, { standing, plan, now });
    return { ...told, wakeAt: now + HUB_TIMES.hostRefused.ms };
  }
  if (surplus.length > 0) return null;
  const standing = standingOf(cluster, seenHosts(hosts, cluster, now), plan);
  const told = await tell(kube, cluster, { standing, plan, now });
  return { ...told, needsHosts: plan.add.length > 0 || plan.swap !== null, wakeAt: plan.replaceAt };
}

export function planOf(cluster: SipCluster, hosts: readonly BareMetalHost[], now: number): HostPlan {
  return planHosts(seenHosts(hosts, cluster, now), asksOf(cluster), now);
}

interface Refused {
  readonly host: string;
  readonly error: ApiError;
}

/**
 * Null: all of them are free. The first that the hub refuses for good is returned; other failures are thrown.
 */
export async function giveBackAll(kube: Kube, hosts: readonly BareMetalHost[]): Promise<Refused | null> {
  for (const host of hosts)
    try {
      await giveBack(kube, host);
    } catch (error) {
      if (!isForbidden(error) && !isInvalid(error)) throw error;
      return { host: keyTextOf(host), error };
    }
  return null;
}

export async function tell(
  kube: Kube,
  cluster: SipCluster,
  {
    standing,
    plan,
    now,
  }: { readonly standing: SipReport; readonly plan: HostPlan | null; readonly now: number },
): Promise<Turned> {
  const at = new Date(now).toISOString();
  const status = statusOf(cluster, asksOf(cluster), { plan, standing, at });
  await publish(kube, cluster, status);
  const says = `**${standing.reserved}**, ${status.reservedOfWanted ?? ''} hosts. ${standing.message}`;
  return { outcome: 'Turned', needsHosts: false, wakeAt: null, says };
}
