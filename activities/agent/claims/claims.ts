// The claims that an agent publishes of its site, from what the site's administrators have configured. Pure.
import { ingressName, INGRESS_CLAIM, type AgentClaim } from '../../../crds/ocm/cluster-claim.ts';
import type { KubeObject } from '../../../kube/resource.ts';

/** A CappConfig, whatever some version of its CRD let in. */
export type Configured = KubeObject & { readonly spec?: unknown };

/** Claim → value; null for a claim that is not to be. Takes the CappConfig that counts, or null. */
export function claimsOf(config: Configured | null): Readonly<Record<AgentClaim, string | null>> {
  const cname = inside(inside(config?.spec, 'dnsConfig'), 'cname');
  return { [INGRESS_CLAIM]: typeof cname === 'string' ? ingressName(cname) : null };
}

function inside(given: unknown, name: string): unknown {
  const isObject = typeof given === 'object' && given !== null;
  return isObject ? (given as Readonly<Record<string, unknown>>)[name] : undefined;
}
