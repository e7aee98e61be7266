// What the hub says of a cluster that joins, read live. Of tokens only the metadata leaves the server.
import { tokenKey } from '../../../crds/join/bootstrap-token.ts';
import { sightOf, tokensOf, type JoinSight } from '../../../crds/join/sight.ts';
import {
  CLUSTER_NAME,
  keptOfRequest,
  SIGNING_REQUEST,
  type SigningRequest,
} from '../../../crds/join/signing-request.ts';
import { formerUntil, recordIn, recordKey } from '../../../crds/join/name-record.ts';
import { CONFIG_MAP, SECRET } from '../../../crds/kubernetes/core.ts';
import { ADD_ON } from '../../../crds/ocm/add-on.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  type ManagedCluster,
  type ManagedClusterAddOn,
} from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';

/** `now` in milliseconds since the epoch. Throws ApiError. */
export async function joinOf(kube: Kube, name: string, now: number): Promise<JoinSight> {
  const [cluster, requests, addOn, record] = await Promise.all([
    kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name }),
    requestsUnder(kube, name),
    kube.get<ManagedClusterAddOn>(MANAGED_CLUSTER_ADD_ON, { namespace: name, name: ADD_ON }),
    kube.getMetadata(CONFIG_MAP, recordKey(name)),
  ]);
  const tokens = await tokensBy(kube, tokensOf({ cluster, requests }));
  const former = formerUntil(recordIn(record), cluster?.metadata.uid ?? null, now);
  return sightOf({ name, cluster, requests, tokens, addOn, formerUntil: former });
}

/** Those that are there, by their ids: their metadata alone. Throws ApiError. */
export async function tokensBy(kube: Kube, ids: Iterable<string>): Promise<ReadonlyMap<string, KubeObject>> {
  const found = await Promise.all(
    [...ids].map(async (id) => [id, await kube.getMetadata(SECRET, tokenKey(id))] as const),
  );
  return new Map(found.flatMap(([id, token]) => (token === null ? [] : [[id, token] as const])));
}

/**
 * All certificate requests that bear the name of the cluster: of its agents, and of whoever writes its label.
 */
export async function requestsUnder(kube: Kube, name: string): Promise<readonly SigningRequest[]> {
  const labelSelector = `${CLUSTER_NAME}=${name}`;
  const { items } = await kube.list<SigningRequest>(SIGNING_REQUEST, { labelSelector, keep: keptOfRequest });
  return items;
}
