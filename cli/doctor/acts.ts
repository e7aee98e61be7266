// Asks the API server whether the processes may do what they cannot do without.
import { ApiError } from '../../kube/failure.ts';
import type { ConnectedHub } from '../hub/connection/hub.ts';
import type { DoctorFacts } from './facts.ts';

interface Act {
  readonly process: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
}

const RCS = 'rcs.dana.io';
const OCM = 'cluster.open-cluster-management.io';
const ACTS: readonly Act[] = [
  { process: 'cappstan-bridge', verb: 'watch', group: RCS, resource: 'capps' },
  { process: 'cappstan-bridge', verb: 'watch', group: OCM, resource: 'managedclusters' },
  { process: 'cappstan-bridge', verb: 'watch', group: RCS, resource: 'cappsets' },
  { process: 'cappstan-bridge', verb: 'watch', group: RCS, resource: 'bundles' },
  { process: 'cappstan-hub', verb: 'patch', group: RCS, resource: 'capps' },
  { process: 'cappstan-hub', verb: 'patch', group: RCS, resource: 'capps', subresource: 'status' },
  { process: 'cappstan-hub', verb: 'create', group: RCS, resource: 'capps' },
  { process: 'cappstan-hub', verb: 'create', group: RCS, resource: 'capprevisions' },
  { process: 'cappstan-hub', verb: 'patch', group: RCS, resource: 'cappsets', subresource: 'status' },
  { process: 'cappstan-hub', verb: 'create', group: RCS, resource: 'setrevisions' },
  { process: 'cappstan-hub', verb: 'patch', group: RCS, resource: 'bundles', subresource: 'status' },
  { process: 'cappstan-hub', verb: 'watch', group: OCM, resource: 'placementdecisions' },
  {
    process: 'cappstan-hub',
    verb: 'create',
    group: 'work.open-cluster-management.io',
    resource: 'manifestworks',
  },
  { process: 'cappstan-webhook', verb: 'watch', group: RCS, resource: 'capps' },
  { process: 'cappstan-webhook', verb: 'get', group: RCS, resource: 'capprevisions' },
];

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/**
 * `home` is the namespace of the processes; without it nobody is asked about. Null if the person may not ask.
 * Throws ApiError.
 */
export async function actsRefused(
  { kube }: ConnectedHub,
  home: string | null,
): Promise<DoctorFacts['refusedActs']> {
  if (home === null) return [];
  const refused: { account: string; act: string }[] = [];
  for (const { process, verb, ...resourceAttributes } of ACTS) {
    const user = `system:serviceaccount:${home}:${process}`;
    const spec = { user, resourceAttributes: { verb, ...resourceAttributes } };
    try {
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
      const answer = (await kube.raw('POST', REVIEWS, { body })) as { status: { allowed: boolean } };
      const { resource, subresource } = { subresource: undefined, ...resourceAttributes };
      const what = subresource === undefined ? resource : `${resource}/${subresource}`;
      if (!answer.status.allowed)
        refused.push({ account: `ServiceAccount ${home}/${process}`, act: `${verb} ${what}` });
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) return null;
      throw error;
    }
  }
  return refused;
}
