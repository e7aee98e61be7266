// Reads where the site's ingress is, from what its admins have set.
import { CAPP_CONFIG, CAPP_CONFIG_KEYS } from '../../../crds/capp-config.ts';
import { ingressName } from '../../../crds/ocm/cluster-claim.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { AGENT_TIMES } from '../times.ts';
import type { IngressAddress, Ingress } from './target.ts';

/**
 * `host:port` of each, where the site's admin has set it for the agent; null for what the CappConfig says.
 */
export interface OwnIngress {
  readonly http: string | null;
  readonly https: string | null;
}

const LIMIT = { deadlineMs: AGENT_TIMES.read.ms } as const;
const PORTS = { http: 80, https: 443 } as const;

/** Throws ApiError while the site's API server does not answer. */
export async function ingressOf(kube: Pick<Kube, 'get'>, own: OwnIngress): Promise<Ingress> {
  const name = own.http !== null && own.https !== null ? null : await configured(kube);
  const of = (kind: keyof OwnIngress): IngressAddress | null => {
    const set = own[kind];
    if (set !== null) return addressOf(set);
    return name === null ? null : { host: name, port: PORTS[kind] };
  };
  return { http: of('http'), https: of('https') };
}

async function configured(kube: Pick<Kube, 'get'>): Promise<string | null> {
  for (const key of CAPP_CONFIG_KEYS) {
    const found = await kube.get<KubeObject & { readonly spec?: unknown }>(CAPP_CONFIG, key, LIMIT);
    if (found !== null) return nameIn(found.spec);
  }
  return null;
}

function nameIn(spec: unknown): string | null {
  const { dnsConfig } = (spec ?? {}) as { readonly dnsConfig?: { readonly cname?: unknown } };
  return typeof dnsConfig?.cname === 'string' ? ingressName(dnsConfig.cname) : null;
}

function addressOf(text: string): IngressAddress {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}
