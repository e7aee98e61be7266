// A Capp as the Knative Service that runs it: pure, so that the same Capp is always the same Service.
import type { Capp } from '../../crds/capp/capp.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../crds/kubernetes/knative.ts';
import type { PodSpec } from '../../crds/kubernetes/pod.ts';
import { PARENT_CAPP } from '../../crds/labels.ts';
import { AUTOSCALING } from '../../crds/knative/autoscaling.ts';
import { KNATIVE_WRITES } from '../../crds/knative/capp-annotations.ts';
import { templateLabels } from '../../crds/knative/template-labels.ts';
import { CLUSTER_LOCAL, isPrivate, VISIBILITY } from '../../crds/knative/visibility.ts';
import { type Autoscale, autoscaling, withOwn } from './autoscaling.ts';
import { limited } from './limits.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';
import { formerPodSpec, podSpec } from './pod.ts';

const OUR_PREFIX = 'rcs.dana.io/';
const KUBECTL_PREFIX = 'kubectl.kubernetes.io/';
/** Knative takes those for scaling and those that it writes itself from nobody. */
const NOT_OF_THE_SERVICE = [OUR_PREFIX, KUBECTL_PREFIX, AUTOSCALING, ...KNATIVE_WRITES];

/**
 * Takes a normalised Capp; gives null for a disabled one, which has no workload. A change of the template is
 * a new revision, so nothing of the Capp's metadata is in it but the labels that people select Pods by.
 */
export function knativeService(capp: Capp, autoscale: Autoscale): KnativeService | null {
  return serviceWith(capp, autoscale, podSpec(capp));
}

/** The same as earlier versions wrote it. A Service may be so until the next edit of its Capp. */
export function formerKnativeService(capp: Capp, autoscale: Autoscale): KnativeService | null {
  return serviceWith(capp, autoscale, formerPodSpec(capp));
}

function serviceWith(capp: Capp, autoscale: Autoscale, pod: PodSpec): KnativeService | null {
  if (capp.spec.state === 'disabled') return null;
  const annotations = without(capp.metadata.annotations, NOT_OF_THE_SERVICE);
  const own = templateMetadata(capp);
  return {
    apiVersion: KNATIVE_SERVICE.apiVersion,
    kind: KNATIVE_SERVICE.kind,
    metadata: {
      name: capp.metadata.name,
      ...(capp.metadata.namespace === undefined ? {} : { namespace: capp.metadata.namespace }),
      labels: { ...ownLabels(capp), ...(isPrivate(capp) ? { [VISIBILITY]: CLUSTER_LOCAL } : {}) },
      annotations,
      ownerReferences: [ownerOf(capp)],
    },
    spec: {
      template: {
        metadata: {
          ...own.name,
          labels: {
            ...templateLabels(capp.metadata.labels),
            ...own.labels,
            [PARENT_CAPP]: capp.metadata.name,
          },
          annotations: scaled(capp, autoscale, own.annotations),
        },
        spec: pod,
      },
    },
  };
}

function scaled(capp: Capp, autoscale: Autoscale, own: TemplateMetadata['annotations']) {
  return limited(withOwn(autoscaling(capp, autoscale, own), own), autoscale.limits);
}

interface TemplateMetadata {
  readonly name: { readonly name?: string };
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

/**
 * What the user wrote on the template wins, as in v0.3.6: also over the computed autoscaling. A name there is
 * the revision's.
 */
function templateMetadata(capp: Capp): TemplateMetadata {
  const { name, labels, annotations } = capp.spec.configurationSpec.template.metadata ?? {};
  return {
    name: typeof name === 'string' ? { name } : {},
    labels: strings(labels),
    // Knative refuses it there, and the Service has it as a label.
    annotations: without(strings(annotations), [VISIBILITY]),
  };
}

function strings(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function without(
  entries: Readonly<Record<string, string>> | undefined,
  prefixes: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries ?? {}).filter(([key]) => !prefixes.some((prefix) => key.startsWith(prefix))),
  );
}
