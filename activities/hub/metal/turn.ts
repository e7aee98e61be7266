// One look at a SIPCluster: makes what it asks for beside its hosts, gives back what it has beyond what it
// wants, and says how it stands.
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
import { READY_BY_SERVICES, WAITING_FOR_HOSTS, type ServicesReport } from './services/report.ts';
import { serveCluster, stopServing, type ServiceNamespaces } from './services/serve.ts';
import {
  NO_HOSTS_SERVED,
  publish,
  refusedBy,
  servicesBefore,
  servicesLeft,
  standingOf,
  statusOf,
  surplusHeld,
  type SipReport,
} from './status.ts';

type Turned = Extract<SipTurned, { outcome: 'Turned' }>;

const NOT_SERVED: Turned = {
  outcome: 'Turned',
  needsHosts: false,
  wakeAt: null,
  says: 'The hub does not serve SIPClusters.',
};

/** `now` gives milliseconds since the epoch. Throws ApiError. */
export async function turn(
  kube: Kube,
  ref: SipRef,
  now: () => number,
  serves: ServiceNamespaces = new Set(),
): Promise<SipTurned> {
  for (;;) {
    const turned = await retryOnConflict(() => look(kube, ref, { now: now(), serves }));
    if (turned !== null) return turned;
  }
}

interface Looking {
  readonly now: number;
  readonly serves: ServiceNamespaces;
}

/** Null: hosts have been given back, so what was read is not so any more. */
async function look(kube: Kube, ref: SipRef, looking: Looking): Promise<SipTurned | null> {
  const { now } = looking;
  const ground = await readGround(kube, ref);
  if (ground === null) return NOT_SERVED;
  const { cluster, hosts } = ground;
  const own = (hosts ?? []).filter((host) => isOf(host, ref));
  if (cluster === null) return retireLeft(kube, own, now);
  if (cluster.metadata.deletionTimestamp !== undefined) return retire(kube, cluster, own, looking);
  if (hosts === null) return tell(kube, cluster, { standing: NO_HOSTS_SERVED, plan: null, now });
  return settle(kube, cluster, hosts, looking);
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

/** Services first, then hosts. The finalizer goes when a list shows that no host is left. */
async function retire(
  kube: Kube,
  cluster: SipCluster,
  own: readonly BareMetalHost[],
  { now, serves }: Looking,
): Promise<SipTurned | null> {
  const left = await stopServing(kube, cluster, serves);
  if (left !== null) {
    const standing = servicesLeft(left);
    const told = await tell(kube, cluster, { standing, plan: planOf(cluster, own, now), now });
    return { ...told, wakeAt: now + HUB_TIMES.services.ms };
  }
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

/** No service leads to a host any more that is given back. */
async function settle(
  kube: Kube,
  cluster: SipCluster,
  hosts: readonly BareMetalHost[],
  { now, serves }: Looking,
): Promise<Turned | null> {
  const plan = planOf(cluster, hosts, now);
  const ref = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name };
  const own = hosts.filter((host) => isOf(host, ref));
  const goes = new Set(releasedBy(plan));
  const surplus = own.filter((host) => goes.has(keyTextOf(host)));
  const kept = own.filter((host) => !surplus.includes(host));
  const services = await servicesFor(kube, cluster, { plan, own, kept, serves });
  const isHeld = surplus.length > 0 && !services.isCurrent;
  const refused = isHeld ? null : await giveBackAll(kube, surplus);
  if (refused !== null) {
    const standing = refusedBy(refused.host, refused.error, 'UnableToApplyLabels');
    const told = await tell(kube, cluster, { standing, plan, now, services });
    return { ...told, wakeAt: now + HUB_TIMES.hostRefused.ms };
  }
  if (surplus.length > 0 && !isHeld) return null;
  const stands = standingOf(cluster, seenHosts(hosts, cluster, now), plan);
  const standing = isHeld ? surplusHeld(stands, surplus.map(keyTextOf)) : stands;
  const told = await tell(kube, cluster, { standing, plan, now, services });
  const next = isHeld ? now + HUB_TIMES.services.ms : nextLook(services, now);
  return { ...told, needsHosts: needsHosts(plan), wakeAt: earlier(plan.replaceAt, next) };
}

/** Where both are in one domain of the role, the failed one goes before another is reserved. */
function releasedBy({ release, swap }: HostPlan): readonly string[] {
  return swap?.isInOneDomain === true ? [...release, swap.failed] : release;
}

/** What the authority has to reserve. */
export function needsHosts({ add, swap }: HostPlan): boolean {
  return add.length > 0 || swap?.isInOneDomain === false;
}

interface Serving {
  readonly plan: HostPlan;
  readonly own: readonly BareMetalHost[];
  /** Of these, what is not given back. */
  readonly kept: readonly BareMetalHost[];
  readonly serves: ServiceNamespaces;
}

/**
 * A cluster that waits for its first hosts has no services yet; one that has lost them all keeps them, and
 * where all that it has goes, services may lead there.
 */
async function servicesFor(
  kube: Kube,
  cluster: SipCluster,
  { plan, own, kept, serves }: Serving,
): Promise<ServicesReport> {
  const isComplete = plan.short === null && plan.add.length === 0;
  const has = own.length > 0 || (cluster.status?.services ?? []).length > 0;
  const isAsked = Object.values(cluster.spec.services).some((items) => items.length > 0);
  return isComplete || has || !isAsked ? serveCluster(kube, cluster, kept, serves) : WAITING_FOR_HOSTS;
}

/** Null: when something changes. */
function nextLook({ reason }: ServicesReport, now: number): number | null {
  if (READY_BY_SERVICES[reason] === null || reason === 'WaitingForHosts') return null;
  const wait = reason === 'NotAllowedHere' ? HUB_TIMES.servicesNotAllowed : HUB_TIMES.services;
  return now + wait.ms;
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
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
    services = servicesBefore(cluster),
  }: {
    readonly standing: SipReport;
    readonly plan: HostPlan | null;
    readonly now: number;
    /** Without them, what was said before. */
    readonly services?: ServicesReport;
  },
): Promise<Turned> {
  const at = new Date(now).toISOString();
  const status = statusOf(cluster, asksOf(cluster), { plan, standing, services, at });
  await publish(kube, cluster, status);
  const says =
    `**${standing.reserved}**, ${status.reservedOfWanted ?? ''} hosts, services: **${services.reason}**. ${standing.message} ${services.message}`.trim();
  return { outcome: 'Turned', needsHosts: false, wakeAt: null, says };
}
