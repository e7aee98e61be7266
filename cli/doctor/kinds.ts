// Kinds that `kubectl capp doctor` looks at or asks for.
import { BUNDLE } from '../../crds/bundle/bundle.ts';
import { BUNDLE_REVISION_KIND } from '../../crds/bundle/bundle-revision.ts';
import { CAPP } from '../../crds/capp/capp.ts';
import { CAPP_REVISION } from '../../crds/capp-revision.ts';
import { DRAIN } from '../../crds/drain/drain.ts';
import { HUB_STATUS } from '../../crds/hub/hub-status.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE, PLACEMENT, PLACEMENT_DECISION } from '../../crds/ocm/placements.ts';
import { CAPP_SET } from '../../crds/set/cappset.ts';
import { SET_REVISION_KIND } from '../../crds/set/set-revision.ts';
import type { Resource } from '../../kube/resource.ts';

/** The name of its configurations, and of its Deployment. */
export const WEBHOOK = 'cappstan-webhook';

export const CLUSTER_ADD_ON = {
  apiVersion: MANAGED_CLUSTER_ADD_ON.apiVersion,
  kind: 'ClusterManagementAddOn',
  plural: 'clustermanagementaddons',
  namespaced: false,
} as const;

export const API_SERVICE = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
} as const;

/** The API of the reader. */
export const OF_READER = 'v1alpha1.reach.rcs.dana.io';

/** Ours, which the chart brings. */
const OURS: readonly Resource[] = [
  CAPP,
  RCS_CONFIG,
  DRAIN,
  HUB_STATUS,
  CAPP_REVISION,
  CAPP_SET,
  SET_REVISION_KIND,
  BUNDLE,
  BUNDLE_REVISION_KIND,
];

/** Open Cluster Management's, which are there before. */
export const OF_OCM: readonly Resource[] = [
  MANAGED_CLUSTER,
  PLACEMENT,
  PLACEMENT_DECISION,
  MANIFEST_WORK,
  ADD_ON_PLACEMENT_SCORE,
  MANAGED_CLUSTER_ADD_ON,
  CLUSTER_ADD_ON,
];

export const NEEDED: readonly Resource[] = [...OURS, ...OF_OCM];

/** `<plural>.<group>` */
export function nameOf({ plural, apiVersion }: Resource): string {
  return `${plural}.${apiVersion.split('/')[0]}`;
}
