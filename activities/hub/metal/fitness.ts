// The plan of a SIPCluster, without hosts to which its services could not lead: before a host is reserved,
// what they would need of it is read. One that is bad is left out, and another is taken.
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import { planHosts, type HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { inOrder, type SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { asksOf, seenHosts, type Looking } from './ground.ts';
import { faultsIn, type HostFault } from './services/hosts.ts';
import { instancesOf, type Instance } from './services/instances.ts';

/** Hosts whose Secrets are read at once. */
const AT_ONCE = 8;

export interface FitPlan {
  readonly plan: HostPlan;
  readonly seen: readonly SeenHost[];
  /** What is the matter with free hosts that the plan would have taken otherwise, in order. */
  readonly faults: readonly HostFault[];
}

/**
 * Only hosts that would be reserved now are read, so one that has what it wants reads none. Throws ApiError
 * where the hub cannot be asked.
 */
export async function planFit(
  kube: Kube,
  cluster: SipCluster,
  hosts: readonly BareMetalHost[],
  looking: Looking,
): Promise<FitPlan> {
  const asks = asksOf(cluster);
  const isServed = looking.serves.has(cluster.metadata.namespace ?? '');
  const instances = isServed ? instancesOf(cluster) : [];
  const unfit = new Map<string, Set<string>>();
  const faults: HostFault[] = [];
  const tried = new Set<string>();
  for (;;) {
    const seen = seenHosts(hosts, cluster, looking).map((host): SeenHost => {
      const unfitFor = unfit.get(host.key);
      return unfitFor === undefined ? host : { ...host, unfitFor };
    });
    const plan = planHosts(seen, asks, looking.now);
    const untried = instances.length === 0 ? [] : comers(plan).filter((one) => !tried.has(textOf(one)));
    // Each round leaves a host out that was not left out before, or is the last.
    const bad = (await tryAll(kube, hosts, untried, instances)).filter((one) => one.faults.length > 0);
    for (const one of untried) tried.add(textOf(one));
    if (bad.length === 0) return { plan, seen, faults: distinct(faults) };
    for (const { key, role, faults: found } of bad) {
      unfit.set(key, (unfit.get(key) ?? new Set()).add(role));
      faults.push(...found);
    }
  }
}

type Comer = HostPlan['add'][number];

/** What would be reserved. */
function comers({ add, swap }: HostPlan): readonly Comer[] {
  return swap === null ? add : [...add, swap.by];
}

const textOf = ({ key, role }: Comer): string => `${key} ${role}`;

async function tryAll(
  kube: Kube,
  hosts: readonly BareMetalHost[],
  coming: readonly Comer[],
  instances: readonly Instance[],
): Promise<(Comer & { readonly faults: readonly HostFault[] })[]> {
  const turnstile = fewAtOnce(AT_ONCE);
  const byKey = new Map(hosts.map((host) => [keyTextOf(host), host]));
  const found = coming.map(async ({ key, role }) => {
    const host = byKey.get(key);
    const faults = host === undefined ? [] : await turnstile(() => faultsIn(kube, host, role, instances));
    return { key, role, faults };
  });
  return Promise.all(found);
}

/** One of two roles may say the same of a host. */
function distinct(faults: readonly HostFault[]): readonly HostFault[] {
  const byText = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return inOrder([...byText], ([text]) => text).map(([, fault]) => fault);
}
