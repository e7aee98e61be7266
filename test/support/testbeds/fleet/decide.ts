// Says what OCM's placement controller would say: which clusters a Placement selects.
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { APPS, type HubForTests } from '../hub/hub.ts';

/** On one page, while the status of the Placement speaks of `told`. Waits until the caches have it. */
export async function decide(
  { kube, caches }: HubForTests,
  name: string,
  clusters: readonly string[],
  told = clusters.length,
): Promise<void> {
  const key = { namespace: APPS, name };
  const status = { subresource: 'status' } as const;
  const page = { namespace: APPS, name: `${name}-decision-1` };
  const base = ({ apiVersion, kind }: { apiVersion: string; kind: string }) => ({ apiVersion, kind });
  if ((await kube.get(PLACEMENT, key)) === null) {
    await kube.create(PLACEMENT, { ...base(PLACEMENT), metadata: key } as never);
    const metadata = { ...page, labels: { [PLACEMENT_LABEL]: name } };
    await kube.create(PLACEMENT_DECISION, { ...base(PLACEMENT_DECISION), metadata } as never);
  }
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: '' }));
  await kube.patch(PLACEMENT, key, { status: { numberOfSelectedClusters: told } }, status);
  await kube.patch(PLACEMENT_DECISION, page, { status: { decisions } }, status);
  await eventually(async () => {
    expect(caches.placements.get(key)?.status?.numberOfSelectedClusters).toBe(told);
    const cached = caches.decisions.by('placement', `${APPS}/${name}`);
    expect(cached.flatMap((one) => one.status?.decisions ?? [])).toEqual(decisions);
    return true;
  });
}
