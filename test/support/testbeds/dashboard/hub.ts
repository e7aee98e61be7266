// A hub with something of everything that the dashboard shows: sites that are well and not, Capps in every
// state, a rollout that waits for approval, and a drain. Statuses are written as the hub worker writes them.
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { ADD_ON, CPU_AVAILABLE, MEMORY_AVAILABLE } from '../../../../crds/ocm/add-on.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE } from '../../../../crds/ocm/placements.ts';
import type { Kube } from '../../../../kube/client.ts';
import { serveBare } from '../../servers/api/definitions.ts';
import { APPS } from '../hub/hub.ts';
import { seedApps } from './apps.ts';
import { ago, ahead, condition, make, siteName } from './made.ts';
import { seedSet } from './set.ts';

/** `sites` of them, the second one lost and the third one tainted. */
export async function seedHub(kube: Kube, sites: number): Promise<void> {
  await serveBare(kube, MANAGED_CLUSTER_ADD_ON);
  for (let at = 1; at <= sites; at += 1) await seedSite(kube, at);
  await seedApps(kube, sites);
  if (sites >= 3) await seedSet(kube);
  if (sites >= 3) await seedDrain(kube);
}

async function seedSite(kube: Kube, at: number): Promise<void> {
  const name = siteName(at);
  const labels = {
    region: ['eu', 'us', 'asia'][at % 3] ?? '',
    tier: at % 10 === 1 ? 'canary' : 'prod',
    name,
  };
  const taints = at === 3 ? [{ key: 'disk', value: 'full', effect: 'NoSelect' }] : [];
  const isLost = at % 50 === 2;
  await make(kube, NAMESPACE, { metadata: { name } });
  await make(
    kube,
    MANAGED_CLUSTER,
    { metadata: { name, labels }, spec: { hubAcceptsClient: true, taints } },
    {
      conditions: [
        condition('ManagedClusterConditionAvailable', isLost ? 'Unknown' : 'True', 'Reported', ''),
      ],
    },
  );
  await make(
    kube,
    MANAGED_CLUSTER_ADD_ON,
    { metadata: { name: ADD_ON, namespace: name } },
    { conditions: [condition('Available', isLost ? 'Unknown' : 'True', 'Lease', '')] },
  );
  const scores = [
    { name: CPU_AVAILABLE, value: ((at * 37) % 160) - 60 },
    { name: MEMORY_AVAILABLE, value: ((at * 53) % 170) - 80 },
  ];
  await make(
    kube,
    ADD_ON_PLACEMENT_SCORE,
    { metadata: { name: 'rcs-score', namespace: name } },
    { scores, validUntil: ahead(10) },
  );
}

async function seedDrain(kube: Kube): Promise<void> {
  const going = [
    { capp: `${APPS}/orders`, site: siteName(1) },
    { capp: `${APPS}/app-001`, site: siteName(1) },
  ];
  await make(
    kube,
    DRAIN,
    { metadata: { name: siteName(3) }, spec: { reason: 'new disks' } },
    {
      observedGeneration: 1,
      phase: 'Draining',
      requestedBy: 'dana',
      waiting: 1,
      underWay: 1,
      moved: 6,
      stayed: 1,
      targets: [{ site: siteName(1), capps: 1 }],
      going,
      reasons: [{ reason: 'Pinned', capps: 1 }],
      stays: [{ capp: `${APPS}/checkout`, reason: 'Pinned' }],
      startedAt: ago(12),
      reportedAt: ago(0),
    },
  );
}
