// Who the person is, as the API server knows them.
import type { Kube } from '../../../kube/client.ts';
import { isForbidden, isNotFound } from '../../../kube/failure.ts';

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** Null where the API server does not say. Throws ApiError when it does not answer, or knows nobody. */
export async function whoIs(kube: Kube): Promise<string | null> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const { status } = (await kube.raw('POST', REVIEWS, { body })) as {
      status?: { userInfo?: { username?: string } };
    };
    return status?.userInfo?.username ?? null;
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return null;
    throw error;
  }
}
