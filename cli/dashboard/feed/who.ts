// Who the person is, as the API server knows them.
import type { Kube } from '../../../kube/client.ts';
import { ifAllowed } from '../../hub/objects/if-any.ts';

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** Null where the API server does not say. Throws ApiError when it does not answer, or knows nobody. */
export async function whoIs(kube: Kube): Promise<string | null> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const review = (await ifAllowed(kube.raw('POST', REVIEWS, { body }))) as {
    status?: { userInfo?: { username?: string } };
  } | null;
  return review?.status?.userInfo?.username ?? null;
}
