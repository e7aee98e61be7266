// Taints sites and makes them unreachable in end-to-end tests, and reads which sites serve a Capp.
import { CAPP, type Capp } from '../crds/capp/capp.ts';
import { MANAGED_CLUSTER, type ManagedCluster, type Taint } from '../crds/ocm/ocm.ts';
import { eventually } from './eventually.ts';
import type { TestbedStack } from './stack.ts';

const MAINTENANCE: Taint = { key: 'maintenance', effect: 'NoSelect' };

/** Taints a site while `meanwhile` runs. */
export async function whileTainted(
  stack: TestbedStack,
  site: string,
  meanwhile: () => Promise<unknown>,
  effect: Taint['effect'] = 'NoSelect',
): Promise<void> {
  await setTaints(stack, site, [{ ...MAINTENANCE, effect }]);
  try {
    await meanwhile();
  } finally {
    await setTaints(stack, site, []);
  }
}

/**
 * Replaces the taints of a site, except OCM's. A taint that exists is kept with its time, which OCM lets
 * nobody change.
 */
export async function setTaints(stack: TestbedStack, site: string, taints: readonly Taint[]): Promise<void> {
  const cluster = await stack.hub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: site });
  const before = cluster?.spec?.taints ?? [];
  const theirs = before.filter(({ key }) => key.startsWith('cluster.open-cluster-management.io/'));
  const ours = taints.map(
    (taint) => before.find(({ key, effect }) => key === taint.key && effect === taint.effect) ?? taint,
  );
  await stack.hub.patch(
    MANAGED_CLUSTER,
    { namespace: null, name: site },
    { spec: { taints: [...theirs, ...ours] } },
  );
}

/**
 * Stops OCM's and our agent of a site while `meanwhile` runs, as a lost connection does. A short lease makes
 * OCM notice within seconds.
 */
export async function whileUnreachable(
  stack: TestbedStack,
  site: string,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const key = { namespace: null, name: site };
  const before =
    (await stack.hub.get<ManagedCluster>(MANAGED_CLUSTER, key))?.spec?.leaseDurationSeconds ?? 60;
  await stack.hub.patch(MANAGED_CLUSTER, key, { spec: { leaseDurationSeconds: 1 } });
  try {
    await stack.freeze(`${site}-ocm-agent`, () => stack.freeze(`${site}-agent`, meanwhile));
  } finally {
    await stack.hub.patch(MANAGED_CLUSTER, key, { spec: { leaseDurationSeconds: before } });
  }
}

/** Waits until OCM calls the site available and it has no taints. */
export async function untilAvailable(stack: TestbedStack, site: string): Promise<void> {
  await eventually(
    async () => {
      const cluster = await stack.hub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: site });
      const isAvailable =
        cluster?.status?.conditions?.find(({ type }) => type === 'ManagedClusterConditionAvailable')
          ?.status === 'True';
      return isAvailable && (cluster?.spec?.taints ?? []).length === 0 ? true : undefined;
    },
    { withinMs: 180_000, everyMs: 200 },
  );
}

/** The sites whose own copy of the Capp has the condition Serving. */
export async function servingSites(
  stack: TestbedStack,
  key: { namespace: string; name: string },
): Promise<string[]> {
  const found = await Promise.all(
    stack.sites.map(async (site) => {
      const capp = await stack.site(site).get<Capp>(CAPP, key);
      return capp?.status?.conditions?.find(({ type }) => type === 'Serving')?.status === 'True'
        ? site
        : null;
    }),
  );
  return found.filter((site) => site !== null);
}

/** A site that is not this one; empty if the stack has no other. */
export function otherSite(stack: Pick<TestbedStack, 'sites'>, site: string): string {
  return stack.sites.find((name) => name !== site) ?? '';
}
