// What the hub's API server refuses for good, in the words of a ClusterJoin's status.
import type { ClusterJoin } from '../../../crds/join/cluster-join.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { ApiError, isForbidden, isInvalid, isNotFound } from '../../../kube/failure.ts';
import { held, type JoinStanding } from '../../../workflows/join/declared.ts';

const BAD_REQUEST = 400;

/** The same try would be refused again until somebody has changed something. */
export function isRefusal(error: unknown): error is ApiError {
  return isForbidden(error) || isNotFound(error) || isUnfit(error);
}

/**
 * A ClusterJoin does not change: what it asks for and cannot be written at first can never be. Where
 * something of it stands, somebody may mend what is refused now, and nobody loses a line that is good. A
 * right may come, and so may the kind or namespace that is missing.
 */
export function standingWhenRefused(
  { metadata, spec }: ClusterJoin,
  managed: ManagedCluster | null,
  error: ApiError,
): JoinStanding {
  if (isUnfit(error) && managed === null && metadata.deletionTimestamp === undefined)
    return {
      state: 'Refused',
      reason: 'Invalid',
      message: `The hub’s API server does not take what this ClusterJoin asks for ${spec.cluster}. Delete it, and write another. ${wordsOf(error)}`,
      next: 'end',
    };
  return held(
    'HubRefuses',
    `The hub’s API server refuses to the hub worker what ${spec.cluster} needs. It is tried again by itself; look at the rights that the chart gives, and at policies and webhooks of the hub. ${wordsOf(error)}`,
  );
}

/** What was asked and how it was refused, in the server's words where there are any. */
export function wordsOf({ message, said, fields }: ApiError): string {
  const more = said ?? fields.join(', ');
  return more === '' ? `(${message})` : `(${message}: ${more})`;
}

function isUnfit(error: unknown): error is ApiError {
  return isInvalid(error) || (error instanceof ApiError && error.code === BAD_REQUEST);
}
