// The kinds of Open Cluster Management that we read or write, but for those of placements (placements.ts):
// the few fields we use of each, as their API servers serve them.
import type { ForeignCondition } from '../kubernetes/core.ts';
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
  };
}

/** OCM's condition of a cluster whose agent has registered. */
export const JOINED = 'ManagedClusterJoined';

/** Its agent has been here: OCM never takes that back. */
export function hasJoined({ status }: Pick<ManagedCluster, 'status'>): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === JOINED && is === 'True') === true;
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
          readonly version?: string;
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

export const MANAGED_CLUSTER = {
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  namespaced: false,
} as const;
export const MANIFEST_WORK = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  plural: 'manifestworks',
  namespaced: true,
} as const;
/** OCM's own way to many sites, which Cappstan does not use: whoever does may have Secrets in it. */
export const MANIFEST_WORK_REPLICA_SET = {
  apiVersion: 'work.open-cluster-management.io/v1alpha1',
  kind: 'ManifestWorkReplicaSet',
  plural: 'manifestworkreplicasets',
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
