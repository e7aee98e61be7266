// Whether the API server would let the person do something.
import type { Kube } from '../../../kube/client.ts';

export interface AskedAccess {
  readonly verb: string;
  readonly group: string;
  /** What stands behind a slash is a part of it, such as `capps/log`. */
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
  const [kind = '', subresource] = resource.split('/');
  const part = subresource === undefined ? {} : { subresource };
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { ...where, ...part, verb, group, resource: kind } },
  };
  const answer = (await kube.raw('POST', REVIEWS, { body })) as { status?: { allowed?: boolean } };
  return answer.status?.allowed === true;
}
