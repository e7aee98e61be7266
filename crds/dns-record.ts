// CNAMERecords of provider-dns on the hub, in both kinds that there are: the few fields that we read or
// write.
import type { ObjectMeta, Resource } from '../kube/resource.ts';
import type { ForeignCondition } from './kubernetes/core.ts';

export interface CnameRecord {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly forProvider?: {
      readonly name?: string;
      readonly zone?: string;
      readonly cname?: string;
      readonly ttl?: number;
    };
    readonly providerConfigRef?: { readonly name: string; readonly kind?: string };
    readonly managementPolicies?: readonly string[];
  };
  readonly status?: {
    readonly conditions?: readonly ForeignCondition[];
    /** What the provider has found in DNS. */
    readonly atProvider?: { readonly cname?: string };
  };
}

export type NamedRecord = CnameRecord & { readonly metadata: { readonly name: string } };

/** Namespaced: provider-dns-v2. Cluster: provider-dns, as container-app-operator v0.3.6 uses it. */
export const RECORD_KINDS = ['Namespaced', 'Cluster'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

const NAMES = { kind: 'CNAMERecord', plural: 'cnamerecords' } as const;

export const RECORDS: Readonly<Record<RecordKind, Resource>> = {
  Namespaced: { ...NAMES, apiVersion: 'record.dns-v2.m.crossplane.io/v1alpha1', namespaced: true },
  Cluster: { ...NAMES, apiVersion: 'record.dns.crossplane.io/v1alpha1', namespaced: false },
};

/** Names without a dot at their ends. */
export interface CnameOf {
  readonly name: string;
  /** In which the name is. */
  readonly zone: string;
  readonly target: string;
  readonly ttlSeconds: number;
  readonly provider: string;
  readonly kind: RecordKind;
}

/** What the provider is asked for. */
export function cnameSpec({
  name,
  zone,
  target,
  ttlSeconds,
  provider,
  kind,
}: CnameOf): NonNullable<CnameRecord['spec']> {
  const ref = kind === 'Namespaced' ? { kind: 'ClusterProviderConfig' } : {};
  return {
    forProvider: {
      name: name.slice(0, -zone.length - 1),
      zone: `${zone}.`,
      cname: `${target}.`,
      ttl: ttlSeconds,
    },
    providerConfigRef: { name: provider, ...ref },
  };
}

/** The longest time, in seconds, for which resolvers may keep a record that moves with its Capp. */
export const LONGEST_TTL_S = 60;
