// Whether a token is spent, and on which request.
//
// The receipt is on the ManagedCluster, which OCM lets an accepted agent update (OCM v1.2.1,
// pkg/registration/hub/manifests/rbac/managedcluster-clusterrole.yaml). The policy `cappstan-cluster-facts`
// and the webhook keep it from the agent. Where they were not there, it could have changed it, and no
// certificate request: one that is approved counts for more than what the receipt says.
import type { ManagedCluster } from '../ocm/ocm.ts';
import { JOINED_BY } from './labels.ts';
import { userOfToken } from './bootstrap-token.ts';
import { stateOfRequest, type RequestState, type SigningRequest } from './signing-request.ts';

/** A certificate request under the name of the token's cluster. */
export interface Payable {
  readonly uid: string;
  /** The API server has set it. */
  readonly username: string;
  readonly state: RequestState;
}

export function payable(request: SigningRequest): Payable {
  return {
    uid: request.metadata.uid ?? '',
    username: request.spec?.username ?? '',
    state: stateOfRequest(request),
  };
}

/**
 * The uid of the request that the token has paid for; null: it is not spent. `uid` is that of the token's
 * Secret, `joinedBy` the receipt.
 */
export function paidBy(
  { id, uid }: { readonly id: string; readonly uid: string },
  joinedBy: string | null,
  requests: readonly Payable[],
): string | null {
  const approved = requests.find(
    ({ username, state }) => username === userOfToken(id) && state === 'Approved',
  );
  if (approved !== undefined) return approved.uid;
  return joinedBy?.startsWith(`${uid}/`) === true ? joinedBy.slice(joinedBy.lastIndexOf('/') + 1) : null;
}

/** The receipt on a ManagedCluster; null if there is none. */
export function receiptOn(cluster: ManagedCluster | null): string | null {
  return cluster?.metadata.annotations?.[JOINED_BY] ?? null;
}
