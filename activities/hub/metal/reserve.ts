// One turn of the one authority: reserves what a SIPCluster lacks, all of it or nothing, or another host for
// one that has failed.
import { BARE_METAL_HOST, type BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, SIP_FINALIZER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import { isConflict, isForbidden, isInvalid, type ApiError } from '../../../kube/failure.ts';
import { addFinalizer } from '../../../kube/finalizer.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import type { Reserving, SipRef } from '../../../workflows/metal/port.ts';
import type { HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { planFit } from './fitness.ts';
import { isOf, planOf, readGround, type MetalNamespaces, type Seeing } from './ground.ts';
import { giveBack, reserve } from './reservation.ts';
import { leftOut } from './services/report.ts';
import { secretsOnce } from './services/secrets-once.ts';
import { refusedBy } from './status.ts';
import { tell } from './tell.ts';
import { needsHosts } from './turn.ts';

/** Claims of different hosts at once. */
const AT_ONCE = 8;
/** After so many others who were faster, it is the next one's turn. */
const MOST_TRIES = 5;

const NOTHING: Reserving = { outcome: 'Nothing', hosts: 0 };

/**
 * `now` gives milliseconds since the epoch. For a site, only hosts in the namespaces `provisions` are
 * reserved, and only if its SIPCluster is in one of them. Throws ApiError.
 */
export async function reserveFor(
  kube: Kube,
  ref: SipRef,
  now: () => number,
  namespaces: MetalNamespaces = { serves: new Set(), provisions: new Set() },
): Promise<Reserving> {
  // What one try has read serves the next as well.
  const reader = secretsOnce(kube);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const ground = await readGround(kube, ref);
    const { cluster = null, hosts = null } = ground ?? {};
    if (cluster === null || hosts === null || cluster.metadata.deletionTimestamp !== undefined)
      return NOTHING;
    const looking = { ...namespaces, now: now() };
    const { plan, faults, lookedAt } = await planFit(reader, cluster, hosts, looking);
    const passed = faults.length === 0 ? {} : { says: leftOut(faults, lookedAt) };
    if (!needsHosts(plan))
      return { ...NOTHING, ...passed, outcome: plan.short === null ? 'Nothing' : 'Short' };
    try {
      // Nothing is reserved for what could go without giving it back.
      await addFinalizer(kube, SIP_CLUSTER, cluster, SIP_FINALIZER);
      // A failed host is beyond what is wanted then: the next look gives it back, when nothing leads to it.
      const wanted = plan.swap === null ? plan.add : [plan.swap.by];
      return { outcome: 'Reserved', hosts: await claimAll(kube, cluster, hosts, wanted), ...passed };
    } catch (error) {
      if (error instanceof ClaimRefused) return refused(kube, ref, { claim: error, ...looking });
      if (!isConflict(error)) throw error;
    }
  }
  return { ...NOTHING, outcome: 'Contended' };
}

/** The hub refuses to have this host reserved. */
class ClaimRefused extends Error {
  readonly host: string;
  readonly error: ApiError;

  constructor(host: string, error: ApiError) {
    super(error.message);
    this.host = host;
    this.error = error;
  }
}

/** All of them, or none: what this call has taken it gives back before it throws. */
async function claimAll(
  kube: Kube,
  cluster: SipCluster,
  hosts: readonly BareMetalHost[],
  wanted: HostPlan['add'],
): Promise<number> {
  const turnstile = fewAtOnce(AT_ONCE);
  const taken: BareMetalHost[] = [];
  const failures: unknown[] = [];
  const claim = async ({ key, role }: HostPlan['add'][number]): Promise<void> => {
    if (failures.length > 0) return;
    try {
      taken.push(await reserve(kube, hostOf(hosts, key), cluster, role));
    } catch (error) {
      failures.push(isForbidden(error) || isInvalid(error) ? new ClaimRefused(key, error) : error);
    }
  };
  await Promise.all(wanted.map((one) => turnstile(() => claim(one))));
  if (failures.length === 0) return taken.length;
  for (const host of taken) await giveBackTaken(kube, host, cluster);
  throw failures[0];
}

/** Somebody may have changed the host since this call took it: it is still this call's to give back. */
async function giveBackTaken(kube: Kube, taken: BareMetalHost, { metadata }: SipCluster): Promise<void> {
  try {
    await giveBack(kube, taken);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const now = await kube.get<BareMetalHost>(BARE_METAL_HOST, {
      namespace: taken.metadata.namespace ?? '',
      name: taken.metadata.name,
    });
    const ref = { namespace: metadata.namespace ?? '', name: metadata.name };
    if (now !== null && isOf(now, ref)) await giveBack(kube, now);
  }
}

function hostOf(hosts: readonly BareMetalHost[], key: string): BareMetalHost {
  const found = hosts.find((host) => keyTextOf(host) === key);
  if (found === undefined) throw new Error(`${key} was planned and is not among the hosts`);
  return found;
}

async function refused(
  kube: Kube,
  ref: SipRef,
  { claim, ...seeing }: Seeing & { readonly claim: ClaimRefused },
): Promise<Reserving> {
  const ground = await readGround(kube, ref);
  if (ground?.cluster != null && ground.hosts !== null) {
    const plan = planOf(ground.cluster, ground.hosts, seeing);
    const standing = refusedBy(claim.host, claim.error, 'UnableToApplyLabels');
    await tell(kube, ground.cluster, { standing, plan, now: seeing.now });
  }
  return { ...NOTHING, outcome: 'Refused' };
}
