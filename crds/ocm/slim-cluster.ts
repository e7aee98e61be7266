// What is kept of a ManagedCluster: a site writes its status, and whoever may register a cluster its
// annotations, each of them as much as an API server stores.
import type { ForeignCondition } from '../kubernetes/core.ts';
import { slim } from '../kubernetes/slim.ts';
import type { ManagedCluster } from './ocm.ts';

/** Characters of all claims: OCM's own and ours take some 4,000. */
const MOST_CLAIMED = 65_536;
const MOST_CONDITIONS = 32;
const LONGEST_MESSAGE = 2_048;
/** The end of the names of claims that our agents make. */
const OURS = '.dana.io';

type Claims = NonNullable<NonNullable<ManagedCluster['status']>['clusterClaims']>;

/** All labels, since Placements and stages read them; of very many claims, ours first. */
export function slimCluster({ spec, status, ...cluster }: ManagedCluster): ManagedCluster {
  const { labels } = cluster.metadata;
  const { metadata } = slim(cluster);
  const { conditions, clusterClaims } = status ?? {};
  const { hubAcceptsClient, leaseDurationSeconds, taints } = spec ?? {};
  return {
    ...cluster,
    metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) },
    ...(spec === undefined ? {} : { spec: present({ hubAcceptsClient, leaseDurationSeconds, taints }) }),
    ...(status === undefined
      ? {}
      : {
          status: present({
            conditions: conditions?.slice(0, MOST_CONDITIONS).map(shortened),
            clusterClaims: clusterClaims === undefined ? undefined : bounded(clusterClaims),
          }),
        }),
  };
}

function present<T extends object>(fields: T): { [K in keyof T]: NonNullable<T[K]> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: NonNullable<T[K]> };
}

function shortened(condition: ForeignCondition): ForeignCondition {
  const { message } = condition;
  return message === undefined ? condition : { ...condition, message: message.slice(0, LONGEST_MESSAGE) };
}

function bounded(claims: Claims): Claims {
  const length = ({ name, value }: Claims[number]): number => name.length + value.length;
  if (claims.reduce((sum, claim) => sum + length(claim), 0) <= MOST_CLAIMED) return claims;
  let left = MOST_CLAIMED;
  const isOurs = ({ name }: Claims[number]): boolean => name.endsWith(OURS);
  return [...claims.filter(isOurs), ...claims.filter((claim) => !isOurs(claim))].filter((claim) => {
    const isKept = length(claim) <= left;
    if (isKept) left -= length(claim);
    return isKept;
  });
}
