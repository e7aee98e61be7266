// Why a revision gets no Pods: its ReplicaSet says it in the API server's words, and Deployment and Revision pass them on.
import type { Pod } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision } from '../../crds/kubernetes/knative.ts';
import { conditionOf, podsOf } from './revision.ts';

export interface NoPods {
  /** It stays so until somebody changes something: the Capp, a quota, a policy. */
  readonly isRefused: boolean;
  readonly message: string;
}

/** Of the API server's sentence; it speaks of the Pod, never for a container. */
const LONGEST = 200;

/** A new namespace gets its service account a moment later than its first Pod may ask for it. */
const PASSING = /error looking up service account|failed calling webhook/;
const REFUSED = /is invalid:|is forbidden:/;

/** Null when Pods could be made, or when there is one that answers: a revision that cannot grow still serves. */
export function withoutPods(revision: KnativeRevision, pods: readonly Pod[]): NoPods | null {
  const available = conditionOf(revision.status?.conditions, 'ResourcesAvailable');
  if (available?.status !== 'False' || available.reason !== 'FailedCreate') return null;
  const answers = podsOf(revision, pods).some((pod) => conditionOf(pod.status?.conditions, 'Ready')?.status === 'True');
  if (answers) return null;
  const words = available.message ?? '';
  const said = words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
  const message = `No Pod of revision ${revision.metadata.name} could be made: ${said || 'the site does not say why'}`;
  return { isRefused: REFUSED.test(words) && !PASSING.test(words), message };
}
