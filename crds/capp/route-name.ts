// The name under which a Capp answers: its hostname, in a zone. Pure.
import { canonicalHostname, domainOf, isFullyQualified } from './hostname.ts';

/**
 * The hostname if there is no zone, or if it is in the zone or the zone itself; else the hostname with the
 * zone added. Null if that is no full domain name. Takes the zone in lower case, with or without a dot at its
 * end.
 */
export function routeName(hostname: string, zone: string | null): string | null {
  const bare = zone?.replace(/\.$/, '') ?? '';
  const name = canonicalHostname(hostname);
  if (bare === '' || isInZone(name, bare)) return domainOf(name);
  const whole = `${name}.${bare}`;
  return name !== '' && isFullyQualified(whole) ? whole : null;
}

/**
 * The name under which hostnames are compared: two Capps with the same one would answer to each other's
 * users.
 */
export function comparedName(hostname: string, zone: string | null | undefined): string {
  return routeName(hostname, zone?.toLowerCase() ?? null) ?? canonicalHostname(hostname);
}

/**
 * The hostnames whose `comparedName` is this name, in their canonical spelling. Takes the zone in any
 * spelling.
 */
export function hostnamesOf(name: string, zone: string | null | undefined): readonly string[] {
  const bare = zone?.toLowerCase().replace(/\.$/, '') ?? '';
  if (bare === '' || !name.endsWith(`.${bare}`)) return [name];
  return [name, name.slice(0, -bare.length - 1)];
}

/**
 * Labels are compared whole: mycapp-zone.com is not in capp-zone.com. Takes both without a dot at the end.
 */
function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
