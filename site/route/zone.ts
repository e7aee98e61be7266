// The zone of a Capp's hostname: that of the site's CappConfig, and while this names none, the one that was
// added to the hostname before. A CappConfig that is gone takes nobody's name away.
import type { Capp } from '../../crds/capp/capp.ts';
import { canonicalHostname } from '../../crds/capp/hostname.ts';
import { ADDED_ZONE } from '../../crds/labels.ts';
import type { SiteConfig } from '../config/capp-config.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import { isOwn } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';

/** What the mapping of this name remembers: the zone that was added to the Capp's hostname, if one was. */
export function rememberedZone({ spec }: Capp, name: string): Readonly<Record<string, string>> {
  const start = `${canonicalHostname(spec.routeSpec?.hostname ?? '')}.`;
  return name.startsWith(start) ? { [ADDED_ZONE]: name.slice(start.length) } : {};
}

/** Null if no zone is known. */
export function zoneOf(
  { watched }: Pick<OperatedSite, 'watched'>,
  capp: Capp,
  { zone }: Pick<SiteConfig['dns'], 'zone'>,
): string | null {
  if (zone !== null) return zone;
  const { namespace = '', name } = capp.metadata;
  const mappings = watched.domainMappings.by(BY_CAPP, `${namespace}/${name}`);
  const standing = mappings.find(
    ({ metadata }) =>
      isOwn(metadata, capp) &&
      metadata.deletionTimestamp === undefined &&
      metadata.annotations?.[ADDED_ZONE] !== undefined &&
      rememberedZone(capp, metadata.name)[ADDED_ZONE] === metadata.annotations[ADDED_ZONE],
  );
  return standing?.metadata.annotations?.[ADDED_ZONE] ?? null;
}
