// The logging operator's kinds on a site that lead a Capp's output to where it goes: the fields that we read
// or write.
import type { ObjectMeta } from '../../kube/resource.ts';

/** Without `active` the operator has not looked at the object yet. */
export interface SyslogNgStatus {
  readonly active?: boolean;
  readonly problems?: readonly string[];
  readonly problemsCount?: number;
  readonly [field: string]: unknown;
}

export interface SyslogNgObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: SyslogNgStatus;
}

const LOGGING = 'logging.banzaicloud.io/v1beta1';

export const SYSLOG_NG_FLOW = {
  apiVersion: LOGGING,
  kind: 'SyslogNGFlow',
  plural: 'syslogngflows',
  namespaced: true,
} as const;
export const SYSLOG_NG_OUTPUT = {
  apiVersion: LOGGING,
  kind: 'SyslogNGOutput',
  plural: 'syslogngoutputs',
  namespaced: true,
} as const;
