// Knative's Ingress: the fields that the ingress stand-in reads and writes. Knative's controllers make one
// for each Service and one for each DomainMapping.
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { KnativeCondition } from '../knative/condition.ts';

/** The ingress class in Knative's config-network. */
export const INGRESS_CLASS = 'local.ingress.networking.knative.dev';
/** Knative reads both spellings; the first one wins. */
const CLASS_ANNOTATIONS = ['networking.knative.dev/ingress.class', 'networking.knative.dev/ingress-class'];

export const INGRESS = {
  apiVersion: 'networking.internal.knative.dev/v1alpha1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
} as const satisfies Resource;

export interface KnativeIngress extends KubeObject {
  readonly spec?: {
    readonly rules?: readonly IngressRule[];
    readonly tls?: readonly IngressTls[];
    /** `Redirected`: requests without TLS are sent to the same URL with TLS. Absent means `Enabled`. */
    readonly httpOption?: string;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly KnativeCondition[];
    readonly [field: string]: unknown;
  };
}

/** The certificate for these hosts. */
export interface IngressTls {
  readonly hosts?: readonly string[];
  readonly secretName: string;
  readonly secretNamespace: string;
}

export interface IngressRule {
  readonly hosts?: readonly string[];
  /** `ClusterLocal`: only for requests from inside the site. Absent means `ExternalIP`. */
  readonly visibility?: string;
  readonly http?: { readonly paths?: readonly Path[] };
}

export interface Path {
  /** A prefix of the request's path. Absent: every path. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, { readonly exact: string }>>;
  /** The request is routed again, as if it had asked for this host. DomainMappings use it. */
  readonly rewriteHost?: string;
  readonly splits?: readonly Split[];
}

export interface Split {
  readonly serviceNamespace: string;
  /** For a Knative Service, the name of the revision. */
  readonly serviceName: string;
  /** 0 to 100. Absent on an only split: 100. */
  readonly percent?: number;
}

export function isOurs({ metadata: { annotations = {} } }: KnativeIngress): boolean {
  const named = CLASS_ANNOTATIONS.map((name) => annotations[name]).find((value) => value !== undefined);
  return named === INGRESS_CLASS;
}

export function pathsOf({ http }: IngressRule): readonly Path[] {
  return http?.paths ?? [];
}

/** The splits that get requests. */
export function weighted({ splits = [] }: Path): readonly (Split & { readonly percent: number })[] {
  return splits
    .map((split) => ({ ...split, percent: split.percent ?? (splits.length === 1 ? 100 : 0) }))
    .filter(({ percent }) => percent > 0);
}
