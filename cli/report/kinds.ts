// The kinds that a report shows, and what of each object.
import { BUNDLE, type Bundle } from '../../crds/bundle/bundle.ts';
import { CAPP } from '../../crds/capp/capp.ts';
import { DEPLOYMENT } from '../../crds/kubernetes/core.ts';
import { DRAIN } from '../../crds/drain/drain.ts';
import { HUB_STATUS } from '../../crds/hub/hub-status.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
  type ManifestWork,
} from '../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE, PLACEMENT, PLACEMENT_DECISION } from '../../crds/ocm/placements.ts';
import { CAPP_SET } from '../../crds/set/cappset.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import type { Deployment } from '../doctor/facts.ts';
import { LEFT_OUT, manifestsVeiled, metadataOf, unquoted, veiled } from './veil.ts';

export interface ReportedKind {
  readonly resource: Resource;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly told: (object: KubeObject) => object;
}

interface Usual extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

const EVENT: Resource = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true };

export const REPORTED: readonly ReportedKind[] = [
  ...[CAPP, CAPP_SET, DRAIN, RCS_CONFIG, HUB_STATUS, MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON].map(usual),
  ...[PLACEMENT, PLACEMENT_DECISION, ADD_ON_PLACEMENT_SCORE].map(usual),
  { resource: BUNDLE, told: (object) => bundleTold(object as Bundle & Usual) },
  { resource: MANIFEST_WORK, told: workTold },
  {
    resource: DEPLOYMENT,
    labelSelector: 'app.kubernetes.io/part-of=cappstan',
    told: (object) => deploymentTold(object as Deployment),
  },
  { resource: EVENT, fieldSelector: 'involvedObject.apiVersion=rcs.dana.io/v1alpha1', told: eventTold },
];

function usual(resource: Resource): ReportedKind {
  return {
    resource,
    told: (object) => {
      const { spec, status } = object as Usual;
      return { metadata: metadataOf(object), spec: veiled(spec), status: unquoted(status) };
    },
  };
}

function bundleTold(bundle: Bundle & Usual): object {
  const { manifests = [], manifestsFrom = [], ...spec } = bundle.spec;
  const shown = { ...(veiled(spec) as object), manifests: manifestsVeiled(manifests), manifestsFrom };
  return { metadata: metadataOf(bundle), spec: shown, status: unquoted(bundle.status) };
}

/** Of what a site reports only conditions: feedback repeats fields of its objects. */
function workTold(work: ManifestWork & KubeObject): object {
  const { workload, executor, deleteOption } = work.spec ?? {};
  const { conditions, resourceStatus } = work.status ?? {};
  const manifests = (resourceStatus?.manifests ?? []).map(({ resourceMeta, conditions: of }) => ({
    resourceMeta,
    conditions: of,
  }));
  return {
    metadata: metadataOf(work),
    spec: { manifests: manifestsVeiled(workload?.manifests ?? []), executor, deleteOption },
    status: unquoted({ conditions, manifests }),
  };
}

function deploymentTold(deployment: Deployment): object {
  const { replicas, template } = deployment.spec;
  const images = template.spec.containers.map(({ image }) => image);
  return {
    metadata: metadataOf(deployment),
    spec: { replicas, images },
    status: unquoted(deployment.status),
  };
}

/** What others write into an event is theirs: only what our processes say is told. */
function eventTold(object: KubeObject): object {
  const { type, reason, message, count, firstTimestamp, lastTimestamp, eventTime, ...rest } =
    object as KubeObject & Record<string, unknown>;
  const { involvedObject, reportingComponent } = rest;
  const isOurs = typeof reportingComponent === 'string' && reportingComponent.startsWith('cappstan.dana.io/');
  const said = isOurs ? unquoted(message) : LEFT_OUT;
  const when = { count, firstTimestamp, lastTimestamp, eventTime };
  return { type, reason, message: said, ...when, involvedObject, reportingComponent };
}
