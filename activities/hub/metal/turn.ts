// One look at a SIPCluster: makes what it asks for beside its hosts, gives back what it has beyond what it
// wants, and says how it stands.
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import type { SipRef, SipTurned } from '../../../workflows/metal/port.ts';
import type { HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { HUB_TIMES } from '../times.ts';
import { chainOf } from './chain/see.ts';
import { walkForth, type Walked } from './chain/walk.ts';
import { giveBackAll } from './giving-back.ts';
import { planFit } from './fitness.ts';
import { isHalfReserved, isOf, readGround, type Looking, type LookingAs } from './ground.ts';
import { leave, retireLeft } from './leaving.ts';
import { READY_BY_SERVICES, WAITING_FOR_HOSTS, type ServicesReport } from './services/report.ts';
import { serveCluster, type ServiceNamespaces } from './services/serve.ts';
import { NO_HOSTS_SERVED, refusedBy, standingOf, surplusHeld, UNSEEN, withLeftOut } from './status.ts';
import { tell, type TurnedSip } from './tell.ts';

const NOT_SERVED: TurnedSip = {
  outcome: 'Turned',
  needsHosts: false,
  wakeAt: null,
  says: 'The hub does not serve SIPClusters.',
};

/** Looks of one turn that write something; the next turn goes on. */
const MOST_LOOKS = 20;

const GOES_ON: Omit<TurnedSip, 'wakeAt'> = {
  outcome: 'Turned',
  needsHosts: false,
  says: `Each of ${MOST_LOOKS} looks in a row has written something. It looks again in a second.`,
};

/** `now` gives milliseconds since the epoch. Throws ApiError. */
export async function turn(
  kube: Kube,
  ref: SipRef,
  now: () => number,
  as: LookingAs = { serves: new Set(), provisions: new Set(), hub: '' },
): Promise<SipTurned> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const turned = await retryOnConflict(() => look(kube, ref, { now: now(), ...as }));
    if (turned !== null) return turned;
  }
  return { ...GOES_ON, wakeAt: now() + HUB_TIMES.chainGoesOn.ms };
}

/** Null: something was written, so what was read is not so any more. */
async function look(kube: Kube, ref: SipRef, looking: Looking): Promise<SipTurned | null> {
  const { now } = looking;
  const ground = await readGround(kube, ref);
  if (ground === null) return NOT_SERVED;
  const { cluster, hosts } = ground;
  const half = (hosts ?? []).filter(isHalfReserved);
  if (half.length > 0 && (await giveBackAll(kube, half)) === null) return null;
  const own = (hosts ?? []).filter((host) => isOf(host, ref));
  if (cluster === null) return retireLeft(kube, own, now);
  if (cluster.metadata.deletionTimestamp !== undefined)
    // Hosts that nobody sees may run the site.
    return hosts === null && cluster.spec.site !== undefined
      ? tell(kube, cluster, { standing: UNSEEN, plan: null, now })
      : leave(kube, cluster, own, looking);
  if (hosts === null) return tell(kube, cluster, { standing: NO_HOSTS_SERVED, plan: null, now });
  return settle(kube, cluster, hosts, looking);
}

/** No service leads to a host any more that is given back, and it is wiped if it was provisioned. */
async function settle(
  kube: Kube,
  cluster: SipCluster,
  hosts: readonly BareMetalHost[],
  looking: Looking,
): Promise<TurnedSip | null> {
  const { now, serves } = looking;
  const fit = await planFit(kube, cluster, hosts, looking);
  const { plan, seen } = fit;
  const ref = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name };
  const own = hosts.filter((host) => isOf(host, ref));
  const goes = new Set(releasedBy(plan));
  const surplus = own.filter((host) => goes.has(keyTextOf(host)));
  const kept = own.filter((host) => !surplus.includes(host));
  const services = await servicesFor(kube, cluster, { plan, own, kept, serves });
  const isHeld = surplus.length > 0 && !services.isCurrent;
  const chain = chainOf(cluster, own, isComplete(plan), looking);
  // While services may lead to a host it is not wiped.
  const walked = chain === null ? null : await walkForth(kube, chain, goes, isHeld);
  if (walked?.hasActed === true) return null;
  const free = isHeld ? [] : surplus.filter((host) => walked?.free.has(keyTextOf(host)) ?? true);
  const said = { plan, now, services, chain: walked?.report ?? null };
  const refused = await giveBackAll(kube, free, walked === null ? null : cluster);
  if (refused !== null) {
    const standing = refusedBy(refused.host, refused.error, 'UnableToApplyLabels');
    const told = await tell(kube, cluster, { standing, ...said });
    return { ...told, wakeAt: now + HUB_TIMES.hostRefused.ms };
  }
  if (free.length > 0) return null;
  const stands = withLeftOut(standingOf(cluster, seen, plan), fit);
  const standing = isHeld ? surplusHeld(stands, surplus.map(keyTextOf)) : stands;
  const told = await tell(kube, cluster, { standing, ...said });
  const next = earlier(isHeld ? now + HUB_TIMES.services.ms : nextLook(services, now), nextStep(walked, now));
  const others = fit.lookedAt === null ? null : now + HUB_TIMES.hostsUnread.ms;
  const wakeAt = earlier(earlier(plan.replaceAt, others), next);
  return { ...told, needsHosts: needsHosts(plan), wakeAt };
}

function isComplete({ short, add }: HostPlan): boolean {
  return short === null && add.length === 0;
}

/** Null: when something changes. */
function nextStep(walked: Walked | null, now: number): number | null {
  if (walked === null) return null;
  const { provisioned, joined } = walked.report;
  const isAtRest = provisioned.isTrue && joined.isTrue && provisioned.message === '';
  return isAtRest ? null : now + HUB_TIMES.chain.ms;
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
  const has = own.length > 0 || (cluster.status?.services ?? []).length > 0;
  const isAsked = Object.values(cluster.spec.services).some((items) => items.length > 0);
  return isComplete(plan) || has || !isAsked ? serveCluster(kube, cluster, kept, serves) : WAITING_FOR_HOSTS;
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
