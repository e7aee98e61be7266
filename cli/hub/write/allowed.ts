// Whether the API server would let the person do something.
import type { Kube } from '../../../kube/client.ts';

export interface AskedAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Null: in all namespaces, or of a kind without them. */
  readonly namespace: string | null;
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Throws ApiError. Every authenticated user may ask this about themselves. */
export async function isAllowed(
  kube: Kube,
  { verb, group, resource, namespace }: AskedAccess,
): Promise<boolean> {
  const where = namespace === null ? {} : { namespace };
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { ...where, verb, group, resource } },
  };
  const answer = (await kube.raw('POST', REVIEWS, { body })) as { status?: { allowed?: boolean } };
  return answer.status?.allowed === true;
}
