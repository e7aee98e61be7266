// The Pods that can answer requests, and what the program in them answers. Pure.
//
// No image is pulled and no container runs on the local stack. Every Pod "runs" this one program, whatever
// image, command, args and ports it names: the program says which Pod answers.
import { KNATIVE_REVISION_LABEL } from '../../../../crds/kubernetes/knative.ts';
import type { Pod } from '../pods/pod.ts';

export interface AnsweringPod {
  readonly name: string;
  readonly revision: string;
  readonly image: string;
  /** It is Ready and is not being deleted. */
  readonly takesRequests: boolean;
}

const QUEUE_PROXY = 'queue-proxy';

export function answeringPod({ metadata, spec, status }: Pod): AnsweringPod {
  const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
  return {
    name: metadata.name,
    revision: metadata.labels?.[KNATIVE_REVISION_LABEL] ?? '',
    image: spec.containers.find(({ name }) => name !== QUEUE_PROXY)?.image ?? '',
    takesRequests: isReady && metadata.deletionTimestamp === undefined,
  };
}

/** A Pod without what `answeringPod` does not need. */
export function leanPod({ metadata, spec, status }: Pod): Pod {
  const {
    managedFields: _managed,
    annotations: _annotations,
    ...kept
  } = metadata as Pod['metadata'] & {
    managedFields?: unknown;
  };
  return {
    metadata: kept,
    spec: { containers: spec.containers.map(({ name, image = '' }) => ({ name, image })) },
    status: { conditions: status?.conditions ?? [] },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the program in a Pod answers to every request: a sentence for people, the same facts in headers. */
export function answerOf({ name, revision, image }: AnsweringPod, site: string): Answer {
  return {
    status: 200,
    headers: {
      'stand-in-site': site,
      'stand-in-revision': revision,
      'stand-in-pod': name,
      'stand-in-image': image,
    },
    body: `Hello from ${site}! I am the Pod ${name} of the revision ${revision}, image ${image}.\n`,
  };
}
