// Knative's and the volume operator's kinds on a site: the few fields we read or write of each.
import type { ObjectMeta } from '../../kube/resource.ts';
import type { ForeignCondition } from './core.ts';

export interface KnativeServiceStatus {
  readonly observedGeneration?: number;
  readonly url?: string;
  readonly latestCreatedRevisionName?: string;
  readonly latestReadyRevisionName?: string;
  readonly conditions?: readonly ForeignCondition[];
  readonly [field: string]: unknown;
}

export interface KnativeService {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly template?: {
      readonly metadata?: Partial<ObjectMeta>;
      readonly spec?: Readonly<Record<string, unknown>>;
    };
  };
  readonly status?: KnativeServiceStatus;
}

export interface KnativeRevision {
  readonly metadata: ObjectMeta;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly ForeignCondition[];
    readonly [field: string]: unknown;
  };
}

/** Leads a domain to a Service: its name is the domain. */
export interface DomainMapping {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: DomainMappingStatus;
}

export interface DomainMappingStatus {
  readonly observedGeneration?: number;
  /** With https where the site has a certificate. */
  readonly url?: string;
  readonly conditions?: readonly ForeignCondition[];
  readonly [field: string]: unknown;
}

export interface NfsPvc {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly pvPhase?: string; readonly pvcPhase?: string };
}

/** Labels that Knative puts on Revisions and Pods. */
export const KNATIVE_SERVICE_LABEL = 'serving.knative.dev/service';
export const KNATIVE_CONFIGURATION_LABEL = 'serving.knative.dev/configuration';
export const KNATIVE_REVISION_LABEL = 'serving.knative.dev/revision';

/** Knative's own container in each Pod of an app, of which the app knows nothing. */
export const QUEUE_PROXY = 'queue-proxy';

/** The ConfigMap by which a site says what Pods of Knative may have. */
export const KNATIVE_FEATURES = { namespace: 'knative-serving', name: 'config-features' } as const;

const SERVING = 'serving.knative.dev/v1';

export const KNATIVE_SERVICE = {
  apiVersion: SERVING,
  kind: 'Service',
  plural: 'services',
  namespaced: true,
} as const;
export const KNATIVE_REVISION = {
  apiVersion: SERVING,
  kind: 'Revision',
  plural: 'revisions',
  namespaced: true,
} as const;
export const DOMAIN_MAPPING = {
  apiVersion: 'serving.knative.dev/v1beta1',
  kind: 'DomainMapping',
  plural: 'domainmappings',
  namespaced: true,
} as const;
export const NFS_PVC = {
  apiVersion: 'nfspvc.dana.io/v1alpha1',
  kind: 'NfsPvc',
  plural: 'nfspvcs',
  namespaced: true,
} as const;
