// What Open Cluster Management selects clusters by: the few fields that we use, as its API servers serve
// them.
import type { ForeignCondition } from '../kubernetes/core.ts';
import type { LabelSelector } from '../kubernetes/label-selector.ts';
import type { ObjectMeta } from '../../kube/resource.ts';

export interface ScoreCoordinate {
  readonly type?: 'BuiltIn' | 'AddOn';
  readonly builtIn?: string;
  readonly addOn?: { readonly resourceName: string; readonly scoreName: string };
}

/** As those of Pods; `tolerationSeconds` count from the taint's `timeAdded`. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface Placement {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly numberOfClusters?: number;
    readonly tolerations?: readonly Toleration[];
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

/** The names on all pages of a Placement's decisions, each once, in order. */
export function clustersOn(pages: readonly Pick<PlacementDecision, 'status'>[]): string[] {
  const names = pages.flatMap(({ status }) => status?.decisions ?? []).map(({ clusterName }) => clusterName);
  return [...new Set(names)].filter((name) => name !== '').toSorted();
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

/** The label on a PlacementDecision that names its Placement. */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

/** An index of PlacementDecisions: their Placement, `<namespace>/<name>`. */
export function byPlacement({ metadata: { namespace = '', labels } }: PlacementDecision): string[] {
  return [`${namespace}/${labels?.[PLACEMENT_LABEL] ?? ''}`];
}

/** The label of a ManagedCluster that names the one clusterset that it is in by label. */
export const CLUSTER_SET_LABEL = 'cluster.open-cluster-management.io/clusterset';
export const MANAGED_CLUSTER_SET = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta2',
  kind: 'ManagedClusterSet',
  plural: 'managedclustersets',
  namespaced: false,
} as const;
export const MANAGED_CLUSTER_SET_BINDING = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta2',
  kind: 'ManagedClusterSetBinding',
  plural: 'managedclustersetbindings',
  namespaced: true,
} as const;
export const PLACEMENT = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  plural: 'placements',
  namespaced: true,
} as const;
export const PLACEMENT_DECISION = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
} as const;
export const ADD_ON_PLACEMENT_SCORE = {
  apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
  kind: 'AddOnPlacementScore',
  plural: 'addonplacementscores',
  namespaced: true,
} as const;
