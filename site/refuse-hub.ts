// Keeps the site operator from running on a hub, where Capps stand that belong on its sites.
import { RCS_CONFIG } from '../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER } from '../crds/ocm/ocm.ts';
import type { Kube } from '../kube/client.ts';
import { serves } from '../kube/discovery.ts';

/**
 * Throws an Error that says what is wrong and what to do if this API server is a hub of Cappstan's; throws
 * what the client throws.
 *
 * A hub serves both ManagedCluster, which OCM brings to hubs alone, and RCSConfig, which our chart brings to
 * hubs alone. Neither is enough: a site may be the hub of another OCM that knows no Capps, and the sites of a
 * local stack have both of our CRDs. What is registered with whom and under which name does not matter: a hub
 * that is its own site is a hub.
 */
export async function refuseHub(kube: Kube): Promise<void> {
  const served = await Promise.all([MANAGED_CLUSTER, RCS_CONFIG].map((kind) => serves(kube, kind)));
  if (!served.every(Boolean)) return;
  throw new Error(
    'This cluster is a hub: it serves ManagedCluster and RCSConfig. A site operator here would run the Capps that belong on its sites. ' +
      'Run it on sites only: label this ManagedCluster local-cluster=true, so that the add-on leaves it out, and remove the Deployment ' +
      'cappstan-site. If it is a site after all, delete the CustomResourceDefinition rcsconfigs.rcs.dana.io, which sites do not need.',
  );
}
