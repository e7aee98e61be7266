// What a site says of itself to the hub: ClusterClaims, which OCM's agent copies into the status of its
// ManagedCluster. A site may claim anything, so what is read of it here is checked.
import { canonicalHostname, isFullyQualified } from '../capp/hostname.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import type { ManagedCluster } from './ocm.ts';

export interface ClusterClaim {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly value?: string };
}

export const CLUSTER_CLAIM = {
  apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
  kind: 'ClusterClaim',
  plural: 'clusterclaims',
  namespaced: false,
} as const;

/** The name to which DNS records lead that are to lead to a site. */
export const INGRESS_CLAIM = 'ingress.cappstan.dana.io';

/** How many nodes the site has. */
export const NODES_CLAIM = 'nodes.cappstan.dana.io';
/** The processors of its nodes, by name and joined with `+`. */
export const ARCH_CLAIM = 'arch.cappstan.dana.io';
/**
 * How many nodes have this processor; absent if none has. A Capp that needs one asks for the claim itself.
 */
export const AMD64_CLAIM = 'amd64.cappstan.dana.io';
export const ARM64_CLAIM = 'arm64.cappstan.dana.io';
/** Its graphics processors by vendor: `nvidia:2`, joined with `+`; absent if it has none. */
export const GPU_CLAIM = 'gpu.cappstan.dana.io';
/** The version of Knative Serving; absent if the site does not serve it, or not under a version. */
export const KNATIVE_CLAIM = 'knative.cappstan.dana.io';
/** The version of our site operator; absent where another one runs the Capps. */
export const SITE_OPERATOR_CLAIM = 'site-operator.cappstan.dana.io';
/**
 * `namespace/name` of the account as which OCM's work agent can apply Capps there. Its name on a site has the
 * hub's short id (`cappsExecutorClaim`).
 */
export const CAPPS_EXECUTOR_CLAIM = 'capps-executor.cappstan.dana.io';
/** Its storage classes, by name and joined with `+`; absent if it has none. */
export const STORAGE_CLASSES_CLAIM = 'storage-classes.cappstan.dana.io';

/**
 * The ConfigMaps that configure it in place of a CappConfig, joined with `+`; absent where one has a
 * CappConfig or neither.
 */
export const FORMER_CONFIG_CLAIM = 'former-config.cappstan.dana.io';

/**
 * Every claim that an agent publishes. The chart gives it the right to change these and no others. OCM
 * reports at most twenty that are not its own, so these are at most twelve.
 */
export const AGENT_CLAIMS = [
  INGRESS_CLAIM,
  NODES_CLAIM,
  ARCH_CLAIM,
  AMD64_CLAIM,
  ARM64_CLAIM,
  GPU_CLAIM,
  KNATIVE_CLAIM,
  SITE_OPERATOR_CLAIM,
  CAPPS_EXECUTOR_CLAIM,
  STORAGE_CLASSES_CLAIM,
  FORMER_CONFIG_CLAIM,
] as const;
export type AgentClaim = (typeof AGENT_CLAIMS)[number];

/** In lower case and without a dot at its end; null for what is no full domain name. */
export function ingressName(text: string): string | null {
  const name = canonicalHostname(text.trim());
  return isFullyQualified(name) ? name : null;
}

/** The ingress name that a cluster claims; null if it claims none that is a full domain name. */
export function ingressNameOf({ status }: Pick<ManagedCluster, 'status'>): string | null {
  const claim = status?.clusterClaims?.find(({ name }) => name === INGRESS_CLAIM);
  return claim === undefined || typeof claim.value !== 'string' ? null : ingressName(claim.value);
}
