// Holds every agent still, ours and OCM's, so that the hub alone is measured; no site is lost meanwhile.
import { MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { observedProcesses } from '../../deploy/local/supervise/desired.ts';
import { signalGroup } from '../../deploy/local/supervise/stack-processes.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Stack } from '../../testbed/stack.ts';
import type { Stage } from '../load/testbed.ts';

/** A site counts as lost after five of these: longer than any pause. */
const PATIENCE_SECONDS = 300;
const AGENT = /^site-\d+-(ocm-)?agent$/;
const LEASE: Resource = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true };

interface Lease extends KubeObject {
  readonly spec?: { readonly renewTime?: string };
}

/** Until what it returns is called, or the measure ends. Throws when there is no agent to pause. */
export async function pauseAgents({ stack, afterwards }: Stage): Promise<() => void> {
  for (const site of stack.sites) {
    const before = await setLease(stack, site, PATIENCE_SECONDS);
    afterwards(() => restoreLease(stack, site, before));
  }
  const agents = (await observedProcesses(stack.layout)).filter(({ name }) => AGENT.test(name));
  const pids = agents.map(({ pid }) => pid).filter((pid) => pid !== null);
  if (pids.length !== 2 * stack.sites.length)
    throw new Error(`${pids.length} agents run for ${stack.sites.length} sites: two a site should.`);
  const resume = (): void => pids.forEach((pid) => signalGroup(pid, 'SIGCONT'));
  afterwards(async () => resume());
  for (const pid of pids) signalGroup(pid, 'SIGSTOP');
  return resume;
}

async function setLease({ hub }: Stack, site: string, leaseDurationSeconds: number): Promise<number> {
  const key = { namespace: null, name: site };
  const before = (await hub.get<ManagedCluster>(MANAGED_CLUSTER, key))?.spec?.leaseDurationSeconds ?? 60;
  await hub.patch(MANAGED_CLUSTER, key, { spec: { leaseDurationSeconds } });
  return before;
}

/** With the former duration, a lease that was not renewed during the pause would count as missed at once. A new duration makes the agent renew it. */
async function restoreLease(stack: Stack, site: string, before: number): Promise<void> {
  const since = Date.now();
  await setLease(stack, site, PATIENCE_SECONDS - 1);
  await eventually(
    async () => {
      const lease = await stack.hub.get<Lease>(LEASE, { namespace: site, name: 'managed-cluster-lease' });
      if (Date.parse(lease?.spec?.renewTime ?? '') >= since) return true;
      throw new Error(`${site} has not renewed its lease since its agents were resumed`);
    },
    { withinMs: 120_000, everyMs: 200 },
  );
  await setLease(stack, site, before);
}
