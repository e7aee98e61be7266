// Kubernetes' own kinds, as far as we read or write them.
import type { ObjectMeta } from '../../kube/resource.ts';

/** A type, not an interface, so that it fits where unknown fields are allowed. */
export type ForeignCondition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
};

export function conditionOf(
  conditions: readonly ForeignCondition[] | undefined,
  type: string,
): ForeignCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export interface Secret {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly type?: string;
  readonly immutable?: boolean;
  /** Base64 by key. Never to be logged, hashed into anything public, or put into history. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface ConfigMap {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

export interface Namespace {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly status?: { readonly phase?: string };
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
  readonly lastState?: { readonly terminated?: { readonly reason?: string; readonly exitCode?: number } };
}

export interface Resources {
  /** Quantities by resource. */
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

export interface PodContainer {
  readonly name: string;
  readonly image?: string;
  readonly resources?: Resources;
  /** `Always` on an init container: a sidecar that keeps running. */
  readonly restartPolicy?: string;
}

export interface Pod {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly PodContainer[];
    readonly initContainers?: readonly PodContainer[];
    /** What the pod as a whole may use, whatever its containers say. */
    readonly resources?: Resources;
    readonly overhead?: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly ForeignCondition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface Node {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly ForeignCondition[];
    readonly nodeInfo?: { readonly architecture?: string };
    /** Fifty at most, the largest: what the kubelet reports. */
    readonly images?: readonly { readonly names?: readonly string[] | null }[];
  };
}

/** Whose pods pull images with these Secrets, where a pod names none itself. */
export interface ServiceAccount {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
}

/** Whom a RoleBinding is for: a User or Group with an apiGroup, a ServiceAccount with a namespace. */
export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleBinding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  /** Names a ClusterRole, or a Role in the same namespace. */
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

/** Quantities by name, such as `count/secrets`. */
export interface ResourceQuota {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: object;
  };
  readonly status?: { readonly used?: Readonly<Record<string, string>> };
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** events.k8s.io/v1. `eventTime` is RFC 3339 with microseconds; `note` at most 1024 bytes. */
export interface Event {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly eventTime: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly action: string;
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  readonly regarding: ObjectReference;
  readonly note: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

export const SECRET = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true } as const;
export const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
} as const;
/** Not Knative's, which has the same name. */
export const CORE_SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
} as const;
export const RESOURCE_QUOTA = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
} as const;
export const SERVICE_ACCOUNT = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
} as const;
export const NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
} as const;
export const POD = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true } as const;
export const NODE = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false } as const;
export const STORAGE_CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
} as const;
export const CUSTOM_RESOURCE_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
} as const;
export const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
} as const;
export const EVENT = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
} as const;
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
export const ROLE_BINDING = {
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
} as const;
export const CLUSTER_ROLE = {
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
} as const;
export const CLUSTER_ROLE_BINDING = {
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
} as const;
