// The name under which a Capp answers on its site: its hostname, in the site's zone. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import { canonicalHostname, domainOf, isFullyQualified } from '../../crds/capp/hostname.ts';

/**
 * The hostname if the site has no zone, or if it is in the zone or the zone itself; else the hostname with the
 * zone added. Null if that is no full domain name. Takes the zone in lower case, with or without a dot at its
 * end.
 */
export function routeName(hostname: string, zone: string | null): string | null {
  const bare = zone?.replace(/\.$/, '') ?? '';
  const name = canonicalHostname(hostname);
  if (bare === '' || isIn(name, bare)) return domainOf(name);
  const whole = `${name}.${bare}`;
  return name !== '' && isFullyQualified(whole) ? whole : null;
}

/** Null for a Capp that asks for no hostname, or for none that could be had. */
export function routeNameOf({ spec }: Capp, zone: string | null): string | null {
  return routeName(spec.routeSpec?.hostname ?? '', zone);
}

/** The hostnames whose `routeName` is this name. */
export function hostnamesOf(name: string, zone: string | null): readonly string[] {
  const bare = zone?.replace(/\.$/, '') ?? '';
  if (bare === '' || !name.endsWith(`.${bare}`)) return [name];
  return [name, name.slice(0, -bare.length - 1)];
}

/** Labels are compared whole: mycapp-zone.com is not in capp-zone.com. */
function isIn(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
