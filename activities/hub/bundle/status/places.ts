// Which revision is on which sites, for the status of a Bundle. Who may not read ManifestWorks learns it
// there. Pure.
import { MOST_NAMED, MOST_REVISIONS, type BundleStatus } from '../../../../crds/bundle/status.ts';
import type { BundleLook } from '../sight.ts';
import type { BundleMember } from '../members.ts';

export type BundlePlaces = Pick<BundleStatus, 'revisions' | 'unselected'>;

/** `written`: the revisions that this turn has just given to sites. */
export function placesOf(
  { members, left }: Pick<BundleLook, 'members' | 'left'>,
  written: ReadonlyMap<string, string>,
): BundlePlaces {
  const revisionOn = (member: BundleMember): string => written.get(member.site.cluster) ?? carriedBy(member);
  const groups = [...Map.groupBy(members, revisionOn)]
    .map(([revision, those]) => ({ revision, sites: those.map(({ site }) => site.cluster) }))
    .toSorted((a, b) => b.sites.length - a.sites.length || (a.revision < b.revision ? -1 : 1))
    .slice(0, MOST_REVISIONS);
  let room = MOST_NAMED;
  const revisions = groups.map(({ revision, sites }, index) => {
    const named = index === 0 ? [] : sites.slice(0, room);
    room -= named.length;
    return { revision, number: sites.length, ...(index === 0 ? {} : { sites: named }) };
  });
  const unselected = left
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.namespace ?? '')
    .toSorted()
    .slice(0, MOST_NAMED);
  return {
    ...(revisions.length === 0 ? {} : { revisions }),
    ...(unselected.length === 0 ? {} : { unselected }),
  };
}

/** Empty where there is no work, and where it does not carry what it says. */
function carriedBy({ refused, target, work }: BundleMember): string {
  return (refused === null ? target.revision : work?.seen.revision) ?? '';
}
