// Where the users of an app reach it on this site: the name of its route, and the site's ingress. Neither is
// a tenant's to write: the name is what Knative has given the Capp, and the ingress is the site admin's.
// Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { isPrivate } from '../../../crds/knative/visibility.ts';

/** An address that the site's admin has named, or what the site's CappConfig says. */
export interface Ingress {
  readonly http: IngressAddress | null;
  readonly https: IngressAddress | null;
}

export interface IngressAddress {
  readonly host: string;
  readonly port: number;
}

export interface VerifyTarget {
  readonly address: IngressAddress;
  /** What the request asks for: the name of the route. */
  readonly host: string;
  readonly isTls: boolean;
}

/** A sentence where nobody can reach the app, or it is not known how. */
export function targetOf(capp: Capp, ingress: Ingress): VerifyTarget | string {
  if (isPrivate(capp)) return 'the Capp is private, so no user reaches it';
  const url = urlOf(capp);
  if (url === null) return 'the site has not given the app an address yet';
  const isTls = url.protocol === 'https:';
  const address = isTls ? ingress.https : ingress.http;
  if (address === null) return 'the ingress of the site is not known: set dnsConfig.cname in its CappConfig';
  return { address, host: url.hostname, isTls };
}

/** Of its hostname, if it asks for one. */
function urlOf({ spec, status }: Capp): URL | null {
  const { hostname = '' } = spec.routeSpec ?? {};
  const mapping = status?.routeStatus?.domainMappingObjectStatus as { readonly url?: unknown } | undefined;
  const url = hostname === '' ? status?.knativeObjectStatus?.url : mapping?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return ['http:', 'https:'].includes(parsed.protocol) && parsed.hostname !== '' ? parsed : null;
}
