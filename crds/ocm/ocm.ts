// The kinds of Open Cluster Management that we read or write: the few fields we use of each, as their API
// servers serve them.
import type { ForeignCondition } from '../kubernetes/core.ts';
import type { LabelSelector } from '../kubernetes/label-selector.ts';
import type { ObjectMeta } from '../../kube/resource.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSelect' | 'PreferNoSelect' | 'NoSelectIfNew';
  readonly timeAdded?: string;
}

export interface ManagedCluster {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly hubAcceptsClient?: boolean;
    readonly leaseDurationSeconds?: number;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly conditions?: readonly ForeignCondition[];
    readonly clusterClaims?: readonly { readonly name: string; readonly value: string }[];
    readonly allocatable?: Readonly<Record<string, string>>;
  };
}

/** Accepted by the hub, and not being removed. */
export function isMember(cluster: ManagedCluster | null | undefined): boolean {
  return cluster?.spec?.hubAcceptsClient === true && cluster.metadata.deletionTimestamp === undefined;
}

/** What `spec.requires` of a Capp is compared with. */
export function identityOf({ metadata, status }: ManagedCluster): {
  readonly labels: Readonly<Record<string, string>>;
  readonly claims: readonly { readonly name: string; readonly value: string }[];
} {
  return { labels: metadata.labels ?? {}, claims: status?.clusterClaims ?? [] };
}

export interface ScoreCoordinate {
  readonly type?: 'BuiltIn' | 'AddOn';
  readonly builtIn?: string;
  readonly addOn?: { readonly resourceName: string; readonly scoreName: string };
}

export interface Placement {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly numberOfClusters?: number;
    readonly clusterSets?: readonly string[];
    readonly prioritizerPolicy?: {
      readonly mode?: 'Additive' | 'Exact';
      readonly configurations?: readonly {
        readonly scoreCoordinate?: ScoreCoordinate;
        readonly weight?: number;
      }[];
    };
  };
  readonly status?: {
    readonly numberOfSelectedClusters?: number;
    readonly conditions?: readonly ForeignCondition[];
  };
}

/** A group of clusters: those that its label names, or that a selector selects. */
export interface ManagedClusterSet {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly clusterSelector?: { readonly selectorType?: string; readonly labelSelector?: LabelSelector };
  };
}

/** Lets the Placements of a namespace select from a clusterset. */
export interface ManagedClusterSetBinding {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly clusterSet?: string };
}

/**
 * One page of at most 100 decisions; a Placement's decisions are the union over its label `PLACEMENT_LABEL`.
 */
export interface PlacementDecision {
  readonly metadata: ObjectMeta;
  readonly status?: {
    readonly decisions?: readonly { readonly clusterName: string; readonly reason?: string }[];
  };
}

export interface AddOnPlacementScore {
  readonly metadata: ObjectMeta;
  readonly status?: {
    readonly scores?: readonly { readonly name: string; readonly value: number }[];
    /** RFC 3339; a score without it never expires. */
    readonly validUntil?: string;
    readonly conditions?: readonly ForeignCondition[];
  };
}

export interface ManagedClusterAddOn {
  readonly metadata: ObjectMeta;
  readonly status?: { readonly conditions?: readonly ForeignCondition[] };
}

/** Names one resource inside a work. Empty group is core. */
export interface ResourceIdentifier {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface ManifestConfig {
  readonly resourceIdentifier: ResourceIdentifier;
  readonly updateStrategy?: {
    readonly type: 'Update' | 'CreateOnly' | 'ServerSideApply' | 'ReadOnly';
    readonly serverSideApply?: { readonly force: boolean; readonly fieldManager: string };
  };
  readonly conditionRules?: readonly {
    readonly condition: string;
    readonly type: 'CEL';
    /** All of them must be true. */
    readonly celExpressions: readonly string[];
    readonly message?: string;
    /** CEL that gives a text; `result` says whether all of them are. */
    readonly messageExpression?: string;
  }[];
  /** Watch: the site's state is reported when it changes; otherwise at intervals. */
  readonly feedbackScrapeType?: 'Watch' | 'Poll';
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ManifestWork {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly workload: { readonly manifests?: readonly Manifest[] };
    readonly manifestConfigs?: readonly ManifestConfig[];
    /** As whom the work agent checks what it may apply; absent: as itself. */
    readonly executor?: {
      readonly subject: {
        readonly type: 'ServiceAccount';
        readonly serviceAccount: { readonly namespace: string; readonly name: string };
      };
    };
    readonly deleteOption?: {
      readonly propagationPolicy: 'Foreground' | 'Orphan' | 'SelectivelyOrphan';
      readonly selectivelyOrphans?: { readonly orphaningRules: readonly ResourceIdentifier[] };
    };
  };
  readonly status?: {
    readonly conditions?: readonly ForeignCondition[];
    readonly resourceStatus?: {
      readonly manifests?: readonly {
        readonly resourceMeta: {
          readonly ordinal?: number;
          readonly group?: string;
          readonly kind?: string;
          readonly resource?: string;
          readonly name?: string;
          readonly namespace?: string;
        };
        readonly conditions?: readonly ForeignCondition[];
      }[];
    };
  };
}

/** The label on a PlacementDecision that names its Placement. */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';
/** The label of a ManagedCluster that names the one clusterset that it is in by label. */
export const CLUSTER_SET_LABEL = 'cluster.open-cluster-management.io/clusterset';
/** The hub registered as a managed cluster of itself, by OCM's convention. */
export const LOCAL_CLUSTER = 'local-cluster';

/** A ManagedCluster's condition that its agent renews its lease. */
export const AVAILABLE = 'ManagedClusterConditionAvailable';
/** Key prefix of the taints that OCM itself sets: `…/unreachable` and `…/unavailable`. */
export const TAINT_UNREACHABLE = 'cluster.open-cluster-management.io/unreachable';
export const TAINT_UNAVAILABLE = 'cluster.open-cluster-management.io/unavailable';
/** Label of a ClusterRole whose rules are added to those of the work agent on a site. */
export const AGGREGATE_TO_WORK = 'open-cluster-management.io/aggregate-to-work';
/**
 * The work agent's finalizer on a work, which it puts there before it applies anything, and takes away when
 * it has cleaned up.
 */
export const WORK_FINALIZER = 'cluster.open-cluster-management.io/manifest-work-cleanup';
/** Annotation on an add-on's manifest: it stays when the add-on goes. */
export const DELETION_ORPHAN = 'addon.open-cluster-management.io/deletion-orphan';

const CLUSTER = 'cluster.open-cluster-management.io';

export const MANAGED_CLUSTER = {
  apiVersion: `${CLUSTER}/v1`,
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  namespaced: false,
} as const;
export const MANAGED_CLUSTER_SET = {
  apiVersion: `${CLUSTER}/v1beta2`,
  kind: 'ManagedClusterSet',
  plural: 'managedclustersets',
  namespaced: false,
} as const;
export const MANAGED_CLUSTER_SET_BINDING = {
  apiVersion: `${CLUSTER}/v1beta2`,
  kind: 'ManagedClusterSetBinding',
  plural: 'managedclustersetbindings',
  namespaced: true,
} as const;
export const PLACEMENT = {
  apiVersion: `${CLUSTER}/v1beta1`,
  kind: 'Placement',
  plural: 'placements',
  namespaced: true,
} as const;
export const PLACEMENT_DECISION = {
  apiVersion: `${CLUSTER}/v1beta1`,
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
} as const;
export const ADD_ON_PLACEMENT_SCORE = {
  apiVersion: `${CLUSTER}/v1alpha1`,
  kind: 'AddOnPlacementScore',
  plural: 'addonplacementscores',
  namespaced: true,
} as const;
export const MANIFEST_WORK = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  plural: 'manifestworks',
  namespaced: true,
} as const;
/** What a work agent has applied on its site. */
export const APPLIED_MANIFEST_WORK = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'AppliedManifestWork',
  plural: 'appliedmanifestworks',
  namespaced: false,
} as const;
export const MANAGED_CLUSTER_ADD_ON = {
  apiVersion: 'addon.open-cluster-management.io/v1alpha1',
  kind: 'ManagedClusterAddOn',
  plural: 'managedclusteraddons',
  namespaced: true,
} as const;
