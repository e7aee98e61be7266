// The plan of a SIPCluster, without hosts to which its services could not lead: before a host is reserved,
// what they would need of it is read. One that is bad is left out, and another is taken.
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { contenders, planHosts, type HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import type { RoleAsk, SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { HUB_TIMES } from '../times.ts';
import { asksOf, seenHosts, type Looking } from './ground.ts';
import { HostTrial, type Comer } from './host-trial.ts';
import type { HostFault, SecretReader } from './services/hosts.ts';
import { instancesOf } from './services/instances.ts';

/** Hosts that are read beside those that were planned at first; after each bad round twice as many. */
const FIRST_READ = 8;
/** Of these, in one look. */
const MOST_READ = 512;

export interface FitPlan {
  readonly plan: HostPlan;
  readonly seen: readonly SeenHost[];
  /** What is the matter with free hosts that the plan would have taken otherwise, in order. */
  readonly faults: readonly HostFault[];
  /** So many hosts were read, and others that the plan would take were not. Null: there are no such. */
  readonly lookedAt: number | null;
}

/**
 * Only hosts that would be reserved now are read, so one that has what it wants reads none; and where one is
 * bad, others that could come. Throws ApiError where the hub cannot be asked.
 */
export async function planFit(
  kube: SecretReader,
  cluster: SipCluster,
  hosts: readonly BareMetalHost[],
  looking: Omit<Looking, 'hub'>,
): Promise<FitPlan> {
  const asks = asksOf(cluster);
  const isServed = looking.serves.has(cluster.metadata.namespace ?? '');
  const instances = isServed ? instancesOf(cluster) : [];
  const free = seenHosts(hosts, cluster, looking);
  const planned = (seen: readonly SeenHost[]): HostPlan => planHosts(seen, asks, looking.now);
  const trial = new HostTrial(kube, hosts, instances);
  let seen: readonly SeenHost[] = free;
  let plan = planned(seen);
  let next = instances.length === 0 ? [] : comers(plan);
  const most = 2 * next.length + MOST_READ;
  const others = candidatesOf(free, asks, { ...plan, now: looking.now });
  for (let size = FIRST_READ; next.length > 0; size *= 2) {
    await trial.of(next.slice(0, most - trial.size));
    seen = free.map((host) => trial.seen(host));
    plan = planned(seen);
    const untried = comers(plan).filter((one) => !trial.has(one));
    if (untried.length > 0 && trial.size >= most) {
      seen = free.map((host) => trial.seenAsTried(host, asks));
      return { plan: planned(seen), seen, faults: trial.faults(), lookedAt: trial.hosts() };
    }
    next = nextOf(untried, Math.max(size, untried.length), (role) =>
      others(role).filter((key) => !trial.has({ key, role })),
    );
  }
  return { plan, seen, faults: trial.faults(), lookedAt: null };
}

/** What would be reserved. */
function comers({ add, swap }: HostPlan): readonly Comer[] {
  return swap === null ? add : [...add, swap.by];
}

/** As many for each role that still needs one. They include one at least, since whoever comes is one. */
function nextOf(untried: readonly Comer[], size: number, open: (role: string) => readonly string[]): Comer[] {
  const roles = new Set(untried.map(({ role }) => role));
  const each = Math.ceil(size / roles.size);
  return [...roles].flatMap((role) => {
    const keys = open(role).slice(0, each);
    return keys.map((key) => ({ key, role }));
  });
}

/** For a role, the keys of free hosts that could come for it, in the order in which they are read. */
function candidatesOf(
  free: readonly SeenHost[],
  asks: readonly RoleAsk[],
  { reserved, now }: Pick<HostPlan, 'reserved'> & { readonly now: number },
): (role: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const share = Math.max(1, Math.floor(MOST_READ / 2 / Math.max(1, asks.length)));
  return (role) => {
    const ask = asks.find((one) => one.role === role);
    const keys =
      known.get(role) ?? (ask === undefined ? [] : turned(contenders(free, ask, reserved), share, now));
    known.set(role, keys);
    return keys;
  };
}

/** The first of them always; of the rest others each time, so that none is out of reach for ever. */
function turned(keys: readonly string[], share: number, now: number): readonly string[] {
  const rest = keys.slice(share);
  const from = rest.length === 0 ? 0 : (Math.floor(now / HUB_TIMES.hostsUnread.ms) * share) % rest.length;
  return [...keys.slice(0, share), ...rest.slice(from), ...rest.slice(0, from)];
}
