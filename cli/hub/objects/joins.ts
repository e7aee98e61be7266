// Reads what the hub says of clusters that join. Whoever may ask to join decides how long his requests are,
// so of each object what is read here is kept, and no more.
import { requestsUnder, tokensBy } from '../../../activities/hub/join/look.ts';
import { boundOf, tokenKey, tokenOfUser } from '../../../crds/join/bootstrap-token.ts';
import { sightOf, tokensOf, type JoinSight, type JoinObjects } from '../../../crds/join/sight.ts';
import {
  CLUSTER_NAME,
  clusterAskedFor,
  keptOfRequest,
  SIGNING_REQUEST,
  type SigningRequest,
} from '../../../crds/join/signing-request.ts';
import { formerUntil, recordIn, recordKey, RECORDS_NAMESPACE } from '../../../crds/join/name-record.ts';
import { CONFIG_MAP, SECRET, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { slim } from '../../../crds/kubernetes/slim.ts';
import { ADD_ON } from '../../../crds/ocm/add-on.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  type ManagedCluster,
  type ManagedClusterAddOn,
} from '../../../crds/ocm/ocm.ts';
import { slimCluster } from '../../../crds/ocm/slim-cluster.ts';
import { isForbidden } from '../../../kube/failure.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/** Of tokens only the metadata leaves the server. Throws ApiError. */
export async function readJoins(hub: ConnectedHub): Promise<ReadonlyMap<string, JoinSight>> {
  const { kube } = hub;
  const [clusters, requests, addOns, records] = await Promise.all([
    kube.list<ManagedCluster>(MANAGED_CLUSTER, { keep: slimCluster }),
    kube.list<SigningRequest>(SIGNING_REQUEST, { labelSelector: CLUSTER_NAME, keep: keptOfRequest }),
    kube.list<ManagedClusterAddOn>(MANAGED_CLUSTER_ADD_ON, {
      fieldSelector: `metadata.name=${ADD_ON}`,
      keep: slim,
    }),
    unlessForbidden(async () => {
      const { items } = await kube.list<ConfigMap>(CONFIG_MAP, { namespace: RECORDS_NAMESPACE, keep: slim });
      return items;
    }),
  ]);
  const now = Date.now();
  const ids = clusters.items.flatMap((cluster) => [...tokensOf({ cluster, requests: [] })]);
  const tokens = await tokensBy(
    kube,
    new Set([...ids, ...tokensOf({ cluster: null, requests: requests.items })]),
  );
  return new Map(
    clusters.items.map((cluster) => {
      const { name, uid = null } = cluster.metadata;
      const record = recordIn(records?.find(({ metadata }) => metadata.name === name));
      const addOn = addOns.items.find(({ metadata }) => metadata.namespace === name) ?? null;
      const own = requests.items.filter((request) => clusterAskedFor(request) === name);
      const former = formerUntil(record, uid, now);
      const seen: JoinObjects = { name, cluster, requests: own, tokens, addOn, formerUntil: former };
      return [name, sightOf(seen)] as const;
    }),
  );
}

/**
 * Until when an agent of a former cluster of the name may have a certificate, in milliseconds since the
 * epoch; null: none has, or this person may not read it. Throws ApiError.
 */
export async function readFormer(
  { kube }: ConnectedHub,
  cluster: string,
  known: ManagedCluster | null,
): Promise<number | null> {
  const map = await unlessForbidden(() => kube.getMetadata(CONFIG_MAP, recordKey(cluster)));
  return formerUntil(recordIn(map), known?.metadata.uid ?? null, Date.now());
}

/** The hub worker refuses in any case whom such a name would let in. */
async function unlessForbidden<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}

export async function readRequests(
  { kube }: ConnectedHub,
  cluster: string,
): Promise<readonly SigningRequest[]> {
  const requests = await requestsUnder(kube, cluster);
  return requests.filter((request) => clusterAskedFor(request) === cluster);
}

/** The cluster that the token of a requester is for; null if it is for any, or he has shown none. */
export async function boundRequester(
  { kube }: ConnectedHub,
  { spec }: SigningRequest,
): Promise<string | null> {
  const id = tokenOfUser(spec?.username ?? '');
  const token = id === null ? null : await kube.getMetadata(SECRET, tokenKey(id));
  return token === null ? null : (boundOf(token)?.cluster ?? null);
}
