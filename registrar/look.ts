// What a round of the registrar reads: five lists, each of what one of its rights names.
import { SECRET, type Secret } from '../crds/kubernetes/core.ts';
import { ARGO_CLUSTER, MANAGED_BY, MANAGED_BY_REGISTRAR } from '../crds/labels.ts';
import { OF_MANAGED_ACCOUNT } from '../crds/ocm/managed-service-account.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, type ManagedCluster } from '../crds/ocm/ocm.ts';
import type { Kube } from '../kube/client.ts';
import { OF_CLUSTER, SECRET_TYPE, textIn } from './cluster.ts';
import type { LabelledSite, ClustersSeen } from './plan.ts';

const TUNNEL = 'cluster-proxy';

/**
 * Throws ApiError: also where a kind is not served, since a list that could not be read is not one that is
 * empty.
 */
export async function look(
  kube: Pick<Kube, 'list'>,
  { namespace, account }: { readonly namespace: string; readonly account: string },
): Promise<Omit<ClustersSeen, 'authority'>> {
  // One after the other: what removes a Secret is never read before the Secret.
  const clusters = await clustersIn(kube, namespace);
  const [sites, addOns, secrets] = await Promise.all([
    kube.list<ManagedCluster>(MANAGED_CLUSTER, { labelSelector: `${ARGO_CLUSTER}=true`, keep: identity }),
    kube.list(MANAGED_CLUSTER_ADD_ON, { fieldSelector: `metadata.name=${TUNNEL}`, metadataOnly: true }),
    kube.list<Secret>(SECRET, {
      fieldSelector: `metadata.name=${account}`,
      labelSelector: `${OF_MANAGED_ACCOUNT}=true`,
    }),
  ]);
  const remaining = addOns.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return {
    clusters,
    sites: sites.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(labelled),
    tunnels: new Set(remaining.map(({ metadata }) => metadata.namespace ?? '')),
    tokens: new Map(
      secrets.items
        .map((one) => [one.metadata.namespace ?? '', textIn(one, 'token').trim()] as const)
        .filter(([, token]) => token !== ''),
    ),
  };
}

/** Argo CD's clusters, and those of ours that somebody has taken the label off by which it finds them. */
async function clustersIn(kube: Pick<Kube, 'list'>, namespace: string): Promise<readonly Secret[]> {
  const selectors = [`${SECRET_TYPE}=${OF_CLUSTER}`, `${MANAGED_BY}=${MANAGED_BY_REGISTRAR}`];
  const lists = await Promise.all(
    selectors.map((labelSelector) => kube.list<Secret>(SECRET, { namespace, labelSelector })),
  );
  const all = lists.flatMap(({ items }) => items.map((one) => [one.metadata.name, one] as const));
  return [...new Map(all).values()];
}

function identity({ metadata, spec }: ManagedCluster): ManagedCluster {
  return spec === undefined ? { metadata } : { metadata, spec };
}

function labelled({ metadata: { name, labels = {} }, spec }: ManagedCluster): LabelledSite {
  return { name, labels, isAccepted: spec?.hubAcceptsClient === true };
}
