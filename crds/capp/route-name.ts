// The name under which a Capp answers: its hostname, in a zone. Pure.
import { canonicalHostname, domainOf, isFullyQualified } from './hostname.ts';

/**
 * The hostname if there is no zone, or if it is in the zone or the zone itself; else the hostname with the zone
 * added. Null if that is no full domain name. Takes the zone in lower case, with or without a dot at its end.
 */
export function routeName(hostname: string, zone: string | null): string | null {
  const bare = zone?.replace(/\.$/, '') ?? '';
  const name = canonicalHostname(hostname);
  if (bare === '' || isInZone(name, bare)) return domainOf(name);
  const whole = `${name}.${bare}`;
  return name !== '' && isFullyQualified(whole) ? whole : null;
}

/** Labels are compared whole: mycapp-zone.com is not in capp-zone.com. Takes both without a dot at the end. */
function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
