// What stands on a hub for a cluster that is expected, whoever expects it: its ManagedCluster, and the token
// that is for that very object. `cappstan token`, ClusterJoins and SIPClusters make the same.
import { JOIN_TOKEN, TOKEN_ENDS_AT } from './labels.ts';
import type { Secret } from '../kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../ocm/ocm.ts';
import { CLUSTER_SET_LABEL } from '../ocm/placements.ts';
import { tokenSecret, type TokenText } from './bootstrap-token.ts';

export interface ExpectedCluster {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly clusterSet?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Not accepted: who comes with its token is, or whom a person accepts. */
export function expectedCluster({ name, labels, clusterSet, annotations }: ExpectedCluster): ManagedCluster {
  const sets = clusterSet === undefined ? {} : { [CLUSTER_SET_LABEL]: clusterSet };
  return {
    metadata: { name, labels: { ...labels, ...sets }, annotations: annotations ?? {} },
    spec: { hubAcceptsClient: false },
  };
}

/** Annotations of the ManagedCluster. `endsAt` in milliseconds since the epoch. */
export function tokenNotes(id: string, endsAt: number): Readonly<Record<string, string>> {
  return { [JOIN_TOKEN]: id, [TOKEN_ENDS_AT]: new Date(endsAt).toISOString() };
}

/** The Secret of a token for this ManagedCluster alone, with which it goes. */
export function tokenFor(
  text: TokenText,
  endsAt: number,
  { metadata: { name, uid = '' } }: ManagedCluster,
  more: Readonly<Record<string, string>> = {},
): Secret {
  const secret = tokenSecret(text, endsAt, { cluster: name, uid });
  const { apiVersion, kind } = MANAGED_CLUSTER;
  const { metadata } = secret;
  return {
    ...secret,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...more },
      ownerReferences: [{ apiVersion, kind, name, uid }],
    },
  };
}
