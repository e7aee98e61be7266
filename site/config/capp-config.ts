// CappConfig: what a site's administrators decide for all Capps of the site. It may be absent.
import type { KubeObject } from '../../kube/resource.ts';
import type { Autoscale } from '../workload/autoscaling.ts';

/** The spec is whatever some version of the CRD let in: `readConfig` reads it. */
export interface CappConfig extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A CappConfig in one spelling. Null stands for what it does not say. */
export interface SiteConfig {
  readonly autoscale: Autoscale;
  readonly dns: SiteDnsConfig;
  /** A hostname must match one of them, as a whole. An empty list allows none; null allows all. */
  readonly hostnames: readonly HostnameRule[] | null;
  /** A hostname must match none of them: what older versions have instead of `hostnames`. */
  readonly refusedHostnames: readonly string[];
  /** How many CappRevisions a Capp keeps. */
  readonly revisionHistoryLimit: number;
  readonly maxKafkaConsumers: number;
  /** For containers that name none. Only the webhook of a site uses it. */
  readonly defaultResources: DefaultResources;
}

export type DefaultResources = Partial<
  Record<'requests' | 'limits', Partial<Record<'cpu' | 'memory', string | number>>>
>;

export interface SiteDnsConfig {
  /** In lower case, with a dot at its end. */
  readonly zone: string | null;
  readonly cname: string | null;
  readonly provider: string | null;
  readonly issuer: SiteIssuer | null;
}

export interface SiteIssuer {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
}

export interface HostnameRule {
  /** A regular expression. */
  readonly match: string;
  /** For the user whose hostname does not match. */
  readonly explanation: string;
}
