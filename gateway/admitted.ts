// The managed clusters that the hub lets in. The open calls of a site end as soon as it is denied or deleted.
import { isMember, MANAGED_CLUSTER, type ManagedCluster } from '../crds/ocm/ocm.ts';
import type { Kube } from '../kube/client.ts';
import type { KubeObject } from '../kube/resource.ts';
import { cache, type Cache } from '../kube/watch/cache.ts';
import type { OpenCalls } from './bounds/open-calls.ts';

export type AdmittedClusters = Cache<ManagedCluster & KubeObject>;

/** Starts to fill at once. Of a cluster it keeps what decides whether the site is let in. */
export function admittedClusters(
  kube: Kube,
  open: Pick<OpenCalls, 'end'>,
  onProblem: (kind: string, error: unknown) => void,
): AdmittedClusters {
  const clusters = cache<ManagedCluster & KubeObject>(kube, {
    resource: MANAGED_CLUSTER,
    transform: ({ metadata: { name, uid = '', resourceVersion = '', deletionTimestamp }, spec }) => ({
      metadata: {
        name,
        uid,
        resourceVersion,
        ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      },
      spec: { hubAcceptsClient: spec?.hubAcceptsClient === true },
    }),
    onProblem: (error) => onProblem(MANAGED_CLUSTER.kind, error),
  });
  clusters.subscribe(({ type, object }) => {
    if (type === 'Deleted' || !isMember(object)) open.end(object.metadata.name);
  });
  return clusters;
}
