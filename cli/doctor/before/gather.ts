// Reads what has to be so before Cappstan is installed on a hub or on a site. Writes nothing.
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { serves } from '../../../kube/discovery.ts';
import { isForbidden, isNotFound } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { nameOf, OF_OCM } from '../kinds.ts';
import { tryAddress } from './addresses.ts';
import type { Before } from './facts.ts';
import { refusedRights } from './rights.ts';

const KNATIVE_SERVICE: Resource = {
  apiVersion: 'serving.knative.dev/v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
};
const CERTIFICATE: Resource = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  plural: 'certificates',
  namespaced: true,
};

export interface Wanted {
  readonly is: Before['is'];
  /** The certificate of the webhook is to come from cert-manager. */
  readonly certManager: boolean;
  readonly temporal: string | undefined;
  readonly gateway: string | undefined;
}

/** Throws ApiError when the API server does not answer. */
export async function gatherBefore(hub: ConnectedHub, wanted: Wanted): Promise<Before> {
  const { kube, namespace } = hub;
  const { is, certManager, temporal, gateway } = wanted;
  const kinds = [...(is === 'hub' ? OF_OCM : [KNATIVE_SERVICE]), ...(certManager ? [CERTIFICATE] : [])];
  const served = await Promise.all(
    kinds.map(async (kind) => [nameOf(kind), await serves(kube, kind)] as const),
  );
  const { gitVersion = '' } = (await kube.raw('GET', '/version')) as { gitVersion?: string };
  return {
    is,
    namespace,
    version: gitVersion,
    served: Object.fromEntries(served),
    clusters: is === 'hub' ? await clustersOf(hub) : null,
    refused: is === 'hub' ? await refusedRights(kube, namespace) : [],
    addresses: [
      ...(temporal === undefined ? [] : [await tryAddress('--temporal', temporal, true)]),
      // It is not there before the chart is.
      ...(gateway === undefined ? [] : [await tryAddress('--gateway', gateway, false)]),
    ],
  };
}

async function clustersOf({ kube }: ConnectedHub): Promise<Before['clusters']> {
  try {
    return (await kube.list<ManagedCluster & KubeObject>(MANAGED_CLUSTER)).items;
  } catch (error) {
    if (isForbidden(error)) return null;
    if (isNotFound(error)) return [];
    throw error;
  }
}
