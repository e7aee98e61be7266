// A Bundle that waits for a site with the label of the story's site.
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER_SET_BINDING, PLACEMENT } from '../../../../crds/ocm/placements.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';

const LONG = { withinMs: 240_000 };

/** The site's label has a Placement choose it, and the Placement brings the Bundle. */
export async function bundleComes(
  { onHub, site }: { readonly onHub: Kube; readonly site: Kube },
  namespace: string,
): Promise<void> {
  await onHub.create<KubeObject>(MANAGED_CLUSTER_SET_BINDING, {
    metadata: { namespace, name: 'default' },
    spec: { clusterSet: 'default' },
  } as KubeObject);
  const edge = { labelSelector: { matchLabels: { tier: 'edge' } } };
  await onHub.create<KubeObject>(PLACEMENT, {
    metadata: { namespace, name: 'edge' },
    spec: { predicates: [{ requiredClusterSelector: edge }] },
  } as KubeObject);
  await onHub.create<Bundle>(BUNDLE, {
    metadata: { namespace, name: 'base' },
    spec: {
      placement: 'edge',
      manifests: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace, name: 'base' },
          data: { by: 'bundle' },
        },
      ],
    },
  } as unknown as Bundle);
  // Which an admin of the site has given to the Bundles of that namespace.
  await applyObjects(site, [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { namespace, name: 'bundles' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [
        {
          kind: 'ServiceAccount',
          namespace: 'open-cluster-management-agent-addon',
          name: `cappstan-bundles-${namespace}`,
        },
      ],
    } as KubeObject,
  ]);
  await eventually(
    async () => ((await site.get(CONFIG_MAP, { namespace, name: 'base' })) === null ? undefined : true),
    LONG,
  );
}
