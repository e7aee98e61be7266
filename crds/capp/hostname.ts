// Hostnames of Capps: their canonical form, when they are fully qualified, and for how long a Capp holds one.
import { FINALIZER } from '../labels.ts';

/**
 * The spelling under which hostnames are compared: in lower case, without the dot that may end a full name.
 */
export function canonicalHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

interface Named {
  readonly metadata: { readonly deletionTimestamp?: string; readonly finalizers?: readonly string[] };
  readonly spec?: { readonly routeSpec?: { readonly hostname?: string } };
}

/**
 * The hostname that a Capp asks for, in its canonical spelling; null if it asks for none. One that is being
 * deleted asks for none once our finalizer is gone, and with it the last of its works: nothing of it runs,
 * whoever else may hold it.
 */
export function hostnameOf({ metadata: { deletionTimestamp, finalizers = [] }, spec }: Named): string | null {
  if (deletionTimestamp !== undefined && !finalizers.includes(FINALIZER)) return null;
  const hostname = spec?.routeSpec?.hostname ?? '';
  return hostname === '' ? null : canonicalHostname(hostname);
}

/** For an index of Capps by the hostname that they ask for. */
export function byHostname(capp: Named): string[] {
  const hostname = hostnameOf(capp);
  return hostname === null ? [] : [hostname];
}

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * A fully qualified name as Kubernetes checks it (IsFullyQualifiedDomainName): one dot at its end is fine.
 */
export function isFullyQualified(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  return name.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label));
}

/**
 * The domain that a hostname means, as a name in Kubernetes; null if it is not fully qualified.
 * container-app-operator adds a zone to such a name.
 */
export function domainOf(hostname: string): string | null {
  return isFullyQualified(hostname.toLowerCase()) ? canonicalHostname(hostname) : null;
}
