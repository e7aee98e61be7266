// The Pods that can answer requests. Pure.
import { KNATIVE_REVISION_LABEL, QUEUE_PROXY } from '../../../../crds/kubernetes/knative.ts';
import type { PodThatAnswers } from '../answer.ts';
import type { StandInPod } from '../pods/pod.ts';

export interface AnsweringPod extends PodThatAnswers {
  readonly namespace: string;
  /** The app's. */
  readonly container: string;
  /** It is Ready and is not being deleted. */
  readonly takesRequests: boolean;
}

export function answeringPod({ metadata, spec, status }: StandInPod): AnsweringPod {
  const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
  const app = spec.containers.find(({ name }) => name !== QUEUE_PROXY);
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    container: app?.name ?? '',
    revision: metadata.labels?.[KNATIVE_REVISION_LABEL] ?? '',
    image: app?.image ?? '',
    takesRequests: isReady && metadata.deletionTimestamp === undefined,
  };
}

/** A Pod without what `answeringPod` does not need. */
export function leanPod({ metadata, spec, status }: StandInPod): StandInPod {
  const {
    managedFields: _managed,
    annotations: _annotations,
    ...kept
  } = metadata as StandInPod['metadata'] & {
    managedFields?: unknown;
  };
  return {
    metadata: kept,
    spec: { containers: spec.containers.map(({ name, image = '' }) => ({ name, image })) },
    status: { conditions: status?.conditions ?? [] },
  };
}
