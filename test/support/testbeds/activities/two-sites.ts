// A hub with two sites, which one Placement of its RCSConfig selects, for activity tests that are about where
// Capps may be.
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { AVAILABLE, MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import type { Kube } from '../../../../kube/client.ts';

const SITES = ['site-1', 'site-2'];
const PLACED = { namespace: 'placements', name: 'all' };
const PAGE = { namespace: 'placements', name: 'all-decision-1' };

/** An object of this kind, as the API server takes it. */
export const make = (
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  metadata: object,
  rest: object = {},
) => ({ apiVersion, kind, metadata, ...rest }) as never;

/** Both sites are available, and the decisions of Placement `all` contain them. */
export async function prepareTwoSites(kube: Kube): Promise<void> {
  await kube.create(
    RCS_CONFIG,
    make(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: ['all'], placementsNamespace: 'placements' } }),
  );
  await kube.create(PLACEMENT, make(PLACEMENT, PLACED));
  const labels = { [PLACEMENT_LABEL]: 'all' };
  await kube.create(PLACEMENT_DECISION, make(PLACEMENT_DECISION, { ...PAGE, labels }));
  await decideAll(kube, ...SITES);
  for (const name of SITES) {
    await kube.create(MANAGED_CLUSTER, make(MANAGED_CLUSTER, { name }, { spec: { hubAcceptsClient: true } }));
    await sayAvailable(kube, name, 'True');
  }
}

/** Placement `all` selects these clusters. */
export async function decideAll(kube: Kube, ...clusters: string[]): Promise<void> {
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: '' }));
  await kube.patch(PLACEMENT_DECISION, PAGE, { status: { decisions } }, { subresource: 'status' });
  const status = { numberOfSelectedClusters: clusters.length };
  await kube.patch(PLACEMENT, PLACED, { status }, { subresource: 'status' });
}

/** A cluster's heartbeats end, or go on; `message` is what the last one said. */
export async function sayAvailable(
  kube: Kube,
  name: string,
  status: 'True' | 'Unknown',
  message?: string,
): Promise<void> {
  const conditions = [{ type: AVAILABLE, status, ...(message === undefined ? {} : { message }) }];
  const key = { namespace: null, name };
  await kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
}
