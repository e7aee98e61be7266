// The host of an address, without what only belongs to how it is written. Pure.

/** In a URL, and before a port, an IPv6 address stands in brackets; whoever connects to it has none. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
