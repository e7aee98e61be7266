// Whether the hub lets somebody read a Capp's logs or Pods. The API server has asked already; the reader asks
// again, so that it rests on nobody's word.
import { GROUP } from '../crds/labels.ts';
import type { Kube } from '../kube/client.ts';
import type { Caller } from './door/caller.ts';
import { REACH_GROUP, type Part } from './names.ts';
import { Refused } from './refusal.ts';
import { READER_TIMES } from './times.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

interface Access {
  readonly group: string;
  readonly subresource?: Part;
}

/**
 * Throws Refused (403) for who may not read the Capp, or not this of it; ApiError if nobody can say, and the
 * signal's reason.
 */
export async function requireAccess(
  kube: Kube,
  caller: Caller,
  { capp, part }: { readonly capp: { namespace: string; name: string }; readonly part: Part },
  signal: AbortSignal,
): Promise<void> {
  const asked: readonly Access[] = [{ group: GROUP }, { group: REACH_GROUP, subresource: part }];
  for (const access of asked) {
    if (await isAllowed(kube, caller, { ...capp, ...access }, signal)) continue;
    const what = access.subresource === undefined ? '' : `/${access.subresource}`;
    throw new Refused(
      403,
      `User ${JSON.stringify(caller.user)} may not get capps${what} (${access.group}) named ${capp.name} in namespace ${capp.namespace}: its admin can bind role view.`,
    );
  }
}

async function isAllowed(
  kube: Kube,
  { user, groups, uid, extra }: Caller,
  attributes: Access & { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<boolean> {
  const resourceAttributes = { verb: 'get', resource: 'capps', ...attributes };
  const spec = { user, groups, extra, ...(uid === undefined ? {} : { uid }), resourceAttributes };
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const answer = (await kube.raw('POST', REVIEWS, { body, signal, deadlineMs: READER_TIMES.review.ms })) as {
    status?: { allowed?: boolean };
  };
  return answer.status?.allowed === true;
}
