// cert-manager's Certificate on a site: the few fields that we read or write.
import type { ObjectMeta } from '../../kube/resource.ts';
import type { ForeignCondition } from './core.ts';

export interface CertificateStatus {
  readonly conditions?: readonly ForeignCondition[];
  /** RFC 3339. */
  readonly notAfter?: string;
  readonly [field: string]: unknown;
}

export interface CertificateObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: CertificateStatus;
}

export const CERTIFICATE = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  plural: 'certificates',
  namespaced: true,
} as const;
