// Managed clusters that have joined the hub of an activity test, and whether OCM reaches them.
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { HubForTests } from '../hub/hub.ts';

const AT = { reason: 'Test', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };

/** Resolves when the caches have them, and an RCSConfig that lets everything be pinned to them. */
export async function joinSites(
  { kube, caches }: Pick<HubForTests, 'kube' | 'caches'>,
  names: readonly string[],
): Promise<void> {
  const spec = { placements: ['default'], pinning: 'Any' };
  await kube.create(RCS_CONFIG, { ...RCS_CONFIG, metadata: RCS_CONFIG_KEY, spec } as never);
  for (const name of names) {
    const { apiVersion, kind } = MANAGED_CLUSTER;
    const cluster = { apiVersion, kind, metadata: { name }, spec: { hubAcceptsClient: true } };
    await kube.create(MANAGED_CLUSTER, cluster as never);
    await sayReachable(kube, name, 'True');
  }
  await sitesAreCached({ kube, caches });
}

/** Resolves when the caches have the RCSConfig, and each cluster as it is now. */
export async function sitesAreCached({ kube, caches }: Pick<HubForTests, 'kube' | 'caches'>): Promise<void> {
  await eventually(async () => {
    const { items } = await kube.list(MANAGED_CLUSTER);
    const versions = (all: typeof items) => new Set(all.map(({ metadata }) => metadata.resourceVersion));
    expect(versions([...caches.clusters.list()])).toEqual(versions(items));
    return caches.configs.list().length === 1 ? true : undefined;
  });
}

export async function sayReachable(kube: Kube, name: string, status: 'True' | 'Unknown'): Promise<void> {
  const conditions = [
    { ...AT, type: 'HubAcceptedManagedCluster', status: 'True' },
    { ...AT, type: 'ManagedClusterJoined', status: 'True' },
    { ...AT, type: 'ManagedClusterConditionAvailable', status },
  ];
  const key = { namespace: null, name };
  await kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
}
