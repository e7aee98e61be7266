// Stops every agent, ours and OCM's, with SIGSTOP, so that only the hub is measured. OCM calls no site
// unavailable meanwhile.
import { MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { observedProcesses } from '../../deploy/local/supervise/desired.ts';
import { signalGroup } from '../../deploy/local/supervise/stack-processes.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { TestbedStack } from '../../testbed/stack.ts';
import type { Testbed } from '../load/testbed.ts';

/**
 * OCM calls a site unavailable after five leases without renewal. Five of these are longer than any
 * benchmark.
 */
const LEASE_SECONDS = 300;
const AGENT = /^site-\d+-(ocm-)?agent$/;
const LEASE: Resource = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

interface Lease extends KubeObject {
  readonly spec?: { readonly renewTime?: string };
}

/**
 * Returns a function that resumes them; the end of the benchmark does too. Throws unless each site has two
 * agents.
 */
export async function pauseAgents({ stack, afterwards }: Testbed): Promise<() => void> {
  for (const site of stack.sites) {
    const before = await setLease(stack, site, LEASE_SECONDS);
    afterwards(() => restoreLease(stack, site, before));
  }
  const agents = (await observedProcesses(stack.layout)).filter(({ name }) => AGENT.test(name));
  const pids = agents.map(({ pid }) => pid).filter((pid) => pid !== null);
  if (pids.length !== 2 * stack.sites.length)
    throw new Error(
      `${pids.length} agents run for ${stack.sites.length} sites; expected two per site. Run "make up" to repair the stack.`,
    );
  const resume = (): void => pids.forEach((pid) => signalGroup(pid, 'SIGCONT'));
  afterwards(async () => resume());
  for (const pid of pids) signalGroup(pid, 'SIGSTOP');
  return resume;
}

async function setLease({ hub }: TestbedStack, site: string, leaseDurationSeconds: number): Promise<number> {
  const key = { namespace: null, name: site };
  const before = (await hub.get<ManagedCluster>(MANAGED_CLUSTER, key))?.spec?.leaseDurationSeconds ?? 60;
  await hub.patch(MANAGED_CLUSTER, key, { spec: { leaseDurationSeconds } });
  return before;
}

/**
 * Waits for a renewal before it restores the duration: with the old duration OCM would call the site
 * unavailable at once. A new duration makes the agent renew.
 */
async function restoreLease(stack: TestbedStack, site: string, before: number): Promise<void> {
  const since = Date.now();
  await setLease(stack, site, LEASE_SECONDS - 1);
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
