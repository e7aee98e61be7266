// The kinds that the dashboard watches, one watch each, and what is kept of each object.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { HUB_STATUS } from '../../../crds/hub/hub-status.ts';
import { ADD_ON } from '../../../crds/ocm/add-on.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  type ManagedCluster,
  type ManagedClusterAddOn,
} from '../../../crds/ocm/ocm.ts';
import { slimCluster } from '../../../crds/ocm/slim-cluster.ts';
import { ADD_ON_PLACEMENT_SCORE, type AddOnPlacementScore } from '../../../crds/ocm/placements.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { HubStatus } from '../../../crds/hub/hub-status.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { CacheOptions } from '../../../kube/watch/cache.ts';

export interface WatchedKinds {
  readonly clusters: ManagedCluster;
  readonly addOns: ManagedClusterAddOn;
  readonly scores: AddOnPlacementScore;
  readonly hubStatus: HubStatus;
  readonly capps: Capp;
  readonly sets: CappSet;
  readonly bundles: Bundle;
  readonly drains: Drain;
}

type Kinds = { readonly [K in keyof WatchedKinds]: CacheOptions<WatchedKinds[K] & KubeObject> };

export const KINDS: Kinds = {
  // A site writes its own as it likes.
  clusters: { resource: MANAGED_CLUSTER, transform: (cluster) => withoutFields(slimCluster(cluster)) },
  addOns: {
    resource: MANAGED_CLUSTER_ADD_ON,
    fieldSelector: `metadata.name=${ADD_ON}`,
    transform: withoutFields,
  },
  scores: { resource: ADD_ON_PLACEMENT_SCORE, transform: withoutFields },
  hubStatus: { resource: HUB_STATUS, transform: withoutFields },
  capps: { resource: CAPP, transform: (capp) => withoutFields({ ...capp, spec: shownSpec(capp) }) },
  sets: { resource: CAPP_SET, transform: (set) => withoutFields({ ...set, spec: shownSet(set.spec) }) },
  // Manifests are not shown here, and may be large.
  bundles: {
    resource: BUNDLE,
    transform: ({ spec, ...bundle }) => withoutFields({ ...bundle, spec: shownBundle(spec) }),
  },
  drains: { resource: DRAIN, transform: withoutFields },
};

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Nor what kubectl noted: it has the whole spec. */
function withoutFields<T extends KubeObject>(object: T): T {
  const { managedFields: _fields, ...metadata } = object.metadata as T['metadata'] & {
    managedFields?: unknown;
  };
  const { [LAST_APPLIED]: _applied, ...annotations } = metadata.annotations ?? {};
  return { ...object, metadata: { ...metadata, annotations } };
}

/** No container, and so no variable of one, stays in memory. */
function shownSpec({ spec }: Capp): Capp['spec'] {
  const { state, scaleMetric, site, routeSpec, migration } = spec;
  return {
    state,
    scaleMetric,
    configurationSpec: { template: { spec: { containers: [] } } },
    ...(site === undefined ? {} : { site }),
    ...(routeSpec === undefined ? {} : { routeSpec }),
    // A move is told as it will go, and what its checks ask for beside what they found.
    ...(migration === undefined ? {} : { migration: moveOf(migration) }),
  };
}

type MoveRules = NonNullable<Capp['spec']['migration']>;

function moveOf({ policy, strategy, failback, verify }: MoveRules): MoveRules {
  return { policy, strategy, failback, ...(verify === undefined ? {} : { verify }) };
}

function shownSet({ template: _template, overrides: _overrides, ...spec }: CappSet['spec']): CappSet['spec'] {
  return spec as CappSet['spec'];
}

function shownBundle({
  manifests: _manifests,
  manifestsFrom: _from,
  ...spec
}: Bundle['spec']): Bundle['spec'] {
  return spec;
}
