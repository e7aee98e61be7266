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

/** Every claim that an agent publishes. The chart gives it the right to change these and no others. */
export const AGENT_CLAIMS = [INGRESS_CLAIM] as const;
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
