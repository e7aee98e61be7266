// Where the site's ingress is, by what its admins have set. Pure.
import { ingressName } from '../../../crds/ocm/cluster-claim.ts';
import type { IngressAddress, Ingress } from './target.ts';
import { bareHost } from '../../../kube/http/bare-host.ts';

/**
 * `host:port` of each, where the site's admin has set it for the agent; null for what the CappConfig says.
 */
export interface OwnIngress {
  readonly http: string | null;
  readonly https: string | null;
}

const PORTS = { http: 80, https: 443 } as const;

/** `spec`: of the site's CappConfig. */
export function ingressOf(spec: unknown, own: OwnIngress): Ingress {
  const name = nameIn(spec);
  const of = (kind: keyof OwnIngress): IngressAddress | null => {
    const set = own[kind];
    if (set !== null) return addressOf(set);
    return name === null ? null : { host: name, port: PORTS[kind] };
  };
  return { http: of('http'), https: of('https') };
}

function nameIn(spec: unknown): string | null {
  const { dnsConfig } = (spec ?? {}) as { readonly dnsConfig?: { readonly cname?: unknown } };
  return typeof dnsConfig?.cname === 'string' ? ingressName(dnsConfig.cname) : null;
}

function addressOf(text: string): IngressAddress {
  const at = text.lastIndexOf(':');
  return { host: bareHost(text.slice(0, at)), port: Number(text.slice(at + 1)) };
}
