// How many Capps have turned unhealthy at about the same time, by what the hub has written of all of them:
// what is wrong with many is not wrong with one site. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { SITE_REASONS } from '../../../crds/capp/conditions.ts';
import { UNHEALTHY_PERCENT } from '../../../crds/hub/rcs-config.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import { HUB_TIMES } from '../times.ts';
import type { FleetHealth } from '../../../workflows/placement/outcome.ts';

const SITE_SAID: ReadonlySet<string> = new Set(SITE_REASONS);
/** Of these, what says something of the app: all others are the site's own, such as a closed namespace. */
const OF_APP: ReadonlySet<string> = new Set(['RolloutFailed', 'ImageNeverReady', 'Deploying']);

/** For the index `health` of the hub's cache. */
export function byHealth(capp: Capp): string[] {
  if (capp.metadata.deletionTimestamp !== undefined || capp.status === undefined) return [];
  if (turnedIllAt(capp) !== null) return ['known', 'ill', ...(isAppIll(capp) ? illWith(capp) : [])];
  return readyOf(capp)?.status === 'True' ? ['known'] : [];
}

/**
 * When it turned unhealthy, in milliseconds since the epoch; null if it is not known to be. Only of Capps
 * with `spec.migration.unhealthy` the hub knows since when. Of others, what a site calls failed counts, also
 * if it never was Ready: a new revision that fails everywhere is a reason to move nothing, too. What is only
 * under way does not count, since every rollout is.
 */
export function turnedIllAt(capp: Capp): number | null {
  const since = capp.status?.migration?.unhealthySince;
  if (since !== undefined) return Date.parse(since);
  const ready = readyOf(capp);
  const isFailed = ready?.status === 'False' && SITE_SAID.has(ready.reason);
  return isFailed ? Date.parse(ready.lastTransitionTime) : null;
}

/** Of a Capp that turned unhealthy: by what its app does, which it may do on other sites as well. */
function isAppIll(capp: Capp): boolean {
  const { reason = '' } = readyOf(capp) ?? {};
  return OF_APP.has(reason) || !SITE_SAID.has(reason);
}

function readyOf({ status }: Capp): NonNullable<NonNullable<Capp['status']>['conditions']>[number] | null {
  return status?.conditions?.find(({ type }) => type === 'Ready') ?? null;
}

/** The images of its containers, sorted, as one text; empty where none can be read. */
function imagesOf({ spec }: Pick<Capp, 'spec'>): string {
  const containers: unknown = spec.configurationSpec?.template?.spec?.containers;
  const images = Array.isArray(containers)
    ? containers.map((one: { readonly image?: unknown } | null) => one?.image)
    : [];
  return images
    .filter((image) => typeof image === 'string')
    .toSorted()
    .join(' ');
}

/**
 * In the index `health`: which Capps of its namespace with its images are unhealthy. Those of other
 * namespaces are nobody's business, and hold nobody.
 */
function illWith({ metadata, spec }: Pick<Capp, 'metadata' | 'spec'>): readonly string[] {
  const images = imagesOf({ spec });
  return images === '' ? [] : [`ill in ${metadata.namespace} with ${images}`];
}

/** A Capp that is unhealthy on a site, and wants to know how others are. */
interface IllCapp {
  readonly capp: Capp;
  readonly site: string;
  /** When it turned so. */
  readonly since: number;
}

/** The Capp counts itself, whatever the cache has of it. */
export function fleetHealthOf(
  capps: Pick<Cache<Capp>, 'by' | 'count'>,
  { capp, site, since }: IllCapp,
  percent: number = UNHEALTHY_PERCENT,
): FleetHealth {
  const { uid } = capp.metadata;
  const others = capps.by('health', 'ill').filter(({ metadata }) => metadata.uid !== uid);
  const together = others.filter(
    (capp) => (turnedIllAt(capp) ?? 0) >= since - HUB_TIMES.unhealthyTogether.ms,
  );
  const ill = together.length + 1;
  const [sameElsewhere] = illWith(capp)
    .flatMap((value) => capps.by('health', value))
    .filter((one) => one.metadata.uid !== uid)
    .map(({ metadata: { name }, status }) => ({ name, site: status?.applicationLinks?.site ?? '' }))
    .filter((one) => one.site !== '' && one.site !== site)
    // Always the same one is named, so that no status changes with the order of a cache.
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const of = Math.max(ill, capps.count('health', 'known'));
  return { ill, of, percent, ...(sameElsewhere === undefined ? {} : { sameElsewhere }) };
}
