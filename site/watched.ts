// What the site operator watches on its site, and which Capp each object belongs to.
import { CAPP, type Capp } from '../crds/capp.ts';
import { POD, NAMESPACE, type Pod } from '../crds/core.ts';
import { MANAGED_BY, MANAGED_BY_HUB, PARENT_CAPP } from '../crds/labels.ts';
import {
  KNATIVE_CONFIGURATION_LABEL,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  KNATIVE_SERVICE_LABEL,
  NFS_PVC,
  type KnativeRevision,
  type KnativeService,
  type NfsPvc,
} from '../crds/knative.ts';
import { cache, type Cache } from '../kube/cache.ts';
import type { Kube } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/resource.ts';
import { optional, type Optional } from './optional.ts';
import type { Autoscale } from './settings.ts';

/** The index of each cache by the Capp that an object belongs to; keys are "namespace/name". */
export const BY_CAPP = 'capp';

export interface Watched {
  readonly capps: Cache<Capp>;
  readonly services: Optional<KnativeService>;
  readonly revisions: Optional<KnativeRevision>;
  readonly nfsPvcs: Optional<NfsPvc>;
  readonly pods: Cache<Pod>;
  /** Only those that the hub's works created; metadata only. */
  readonly namespaces: Cache<KubeObject>;
}

/** What a look at a Capp needs. */
export interface Site {
  readonly kube: Kube;
  readonly watched: Watched;
  readonly autoscale: Autoscale;
}

export function watchSite(kube: Kube, onProblem: (kind: string, error: unknown) => void): Watched {
  const options = <T extends KubeObject>(resource: Resource) => ({
    resource,
    transform: (object: T): T => lean(object),
    onProblem: (error: unknown) => onProblem(resource.kind, error),
  });
  return {
    capps: cache<Capp>(kube, options(CAPP)),
    services: optional<KnativeService>(kube, options(KNATIVE_SERVICE)),
    revisions: optional<KnativeRevision>(kube, {
      ...options(KNATIVE_REVISION),
      indexes: { [BY_CAPP]: byLabel(KNATIVE_CONFIGURATION_LABEL) },
    }),
    nfsPvcs: optional<NfsPvc>(kube, { ...options(NFS_PVC), indexes: { [BY_CAPP]: byLabel(PARENT_CAPP) } }),
    pods: cache<Pod>(kube, {
      ...options(POD),
      labelSelector: KNATIVE_SERVICE_LABEL,
      transform: leanPod,
      indexes: { [BY_CAPP]: byLabel(KNATIVE_SERVICE_LABEL) },
    }),
    namespaces: cache<KubeObject>(kube, {
      ...options(NAMESPACE),
      metadataOnly: true,
      labelSelector: `${MANAGED_BY}=${MANAGED_BY_HUB}`,
    }),
  };
}

function byLabel(label: string): (object: KubeObject) => string[] {
  return ({ metadata: { namespace = '', labels } }) => {
    const name = labels?.[label];
    return name === undefined ? [] : [`${namespace}/${name}`];
  };
}

/** What the API server remembers of every writer is most of an object's size, and none of our business. */
function lean<T extends KubeObject>(object: T): T {
  const metadata: Record<string, unknown> = { ...object.metadata };
  delete metadata['managedFields'];
  return { ...object, metadata };
}

/** Of a Pod, what tells how its containers fare; the words of a container stay out of memory. */
function leanPod({ metadata, status }: Pod): Pod {
  const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = metadata;
  const known = { name, namespace, uid, resourceVersion, labels, deletionTimestamp };
  const { conditions, containerStatuses, initContainerStatuses } = status ?? {};
  return JSON.parse(JSON.stringify({ metadata: known, status: { conditions, containerStatuses, initContainerStatuses } }), quiet);
}

function quiet(key: string, value: unknown): unknown {
  return key === 'message' ? undefined : value;
}
