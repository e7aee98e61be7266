// When two hostnames are the same.

/** The spelling under which hostnames are compared: in lower case, without the dot that may end a full name. */
export function canonicalHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

interface Named {
  readonly spec?: { readonly routeSpec?: { readonly hostname?: string } };
}

/** The hostname that a Capp asks for, in its canonical spelling; null if it asks for none. */
export function hostnameOf({ spec }: Named): string | null {
  const hostname = spec?.routeSpec?.hostname ?? '';
  return hostname === '' ? null : canonicalHostname(hostname);
}

/** For an index of Capps by the hostname that they ask for. */
export function byHostname(capp: Named): string[] {
  const hostname = hostnameOf(capp);
  return hostname === null ? [] : [hostname];
}
