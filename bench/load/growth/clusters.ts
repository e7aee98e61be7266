// Managed clusters without servers: OCM accepts them and decides for them, and simulated agents answer for
// them.
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import {
  CLUSTER_SET_LABEL,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  type Placement,
} from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { numbered, type Testbed } from '../testbed.ts';

/** OCM calls a cluster unavailable after five leases without renewal: longer than any benchmark. */
const LEASE_SECONDS = 36_000;
const DECIDED = { withinMs: 300_000, everyMs: 500 };

export interface GrownClusters {
  readonly names: readonly string[];
  /** A Placement that decides for one of them. The RCSConfig names another, which decides for all. */
  readonly narrow: string;
}

/**
 * Makes that many clusters in a clusterset of their own, and resolves when a Placement of the RCSConfig
 * decides for all of them. The end of the benchmark deletes them.
 */
export async function makeClusters(testbed: Testbed, count: number): Promise<GrownClusters> {
  const { hub, namespace: set, afterwards } = testbed;
  const config = await hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  if (config === null) throw new Error('There is no RCSConfig. Run "make up" to repair the stack.');
  const { placementsNamespace } = config.spec;
  const narrow = `${set}-narrow`;
  const names = numbered(`${set}-site`, count);
  await hub.create(MANAGED_CLUSTER_SET, object(MANAGED_CLUSTER_SET, { name: set }));
  afterwards(() => hub.remove(MANAGED_CLUSTER_SET, { namespace: null, name: set }));
  for (const [resource, spec] of [
    [MANAGED_CLUSTER_SET_BINDING, { clusterSet: set }],
    [PLACEMENT, { clusterSets: [set] }],
    [PLACEMENT, { clusterSets: [set], numberOfClusters: 1 }],
  ] as const) {
    const name = 'numberOfClusters' in spec ? narrow : set;
    await hub.create(resource, object(resource, { namespace: placementsNamespace, name }, spec));
    afterwards(() => hub.remove(resource, { namespace: placementsNamespace, name }));
  }
  afterwards(() => Promise.all(names.map((name) => hub.remove(MANAGED_CLUSTER, { namespace: null, name }))));
  for (const name of names) await join(testbed, name);
  afterwards(await configure(hub, { placements: [set] }));
  await eventually(async () => {
    const { status } = (await hub.get<Placement & KubeObject>(PLACEMENT, {
      namespace: placementsNamespace,
      name: set,
    })) ?? { status: undefined };
    if (status?.numberOfSelectedClusters === count) return true;
    throw new Error(`OCM has decided for ${status?.numberOfSelectedClusters ?? 0} of ${count} clusters.`);
  }, DECIDED);
  return { names, narrow };
}

/** What the registration agent of a cluster would say of it. */
async function join({ hub, namespace: set }: Testbed, name: string): Promise<void> {
  const labels = { [CLUSTER_SET_LABEL]: set };
  const spec = { hubAcceptsClient: true, leaseDurationSeconds: LEASE_SECONDS };
  await hub.create(MANAGED_CLUSTER, object(MANAGED_CLUSTER, { name, labels }, spec));
  const lastTransitionTime = new Date().toISOString();
  const conditions = [
    'HubAcceptedManagedCluster',
    'ManagedClusterJoined',
    'ManagedClusterConditionAvailable',
  ];
  const status = {
    conditions: conditions.map((type) => ({
      type,
      status: 'True',
      reason: 'Simulated',
      message: 'This cluster is simulated.',
      lastTransitionTime,
    })),
  };
  await hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { status }, { subresource: 'status' });
}

function object(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  metadata: KubeObject['metadata'],
  spec: object = {},
): KubeObject {
  return { apiVersion, kind, metadata, spec } as KubeObject;
}
