// Which works are a Capp's. Names decide, and where two Capps' names run together to one, the hub's own word
// on where each of them is: what a work says of itself, its site may have written.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { HAS_PLACEMENT, MANAGED_BY, MANAGED_BY_HUB } from '../../crds/labels.ts';
import type { Manifest, ManifestWork } from '../../crds/ocm/ocm.ts';
import { hashedWorkName, isLabelledFor, workName, workNamesOf } from '../../crds/ocm/work-identity.ts';
import type { Cache } from '../../kube/watch/cache.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { CappRef } from '../../workflows/capp/state.ts';

type Name = Pick<CappRef, 'namespace' | 'name'>;

/** Index `work` of Capps and index `name` of works. */
export interface Known {
  readonly capps: Pick<Cache<Capp>, 'get' | 'by'>;
  readonly works: Pick<Cache<KubeObject>, 'by'>;
}

/** Who asks for works, and who else may have those of that name. */
export interface Claim extends Name {
  /** Where the hub has said that the Capp is. */
  readonly site: string | null;
  /** Where those Capps are whose work's usual name is the same; null for one that is nowhere. */
  readonly rivals: readonly (string | null)[];
}

/** `site` is where the Capp is, if the asker knows better than its status. */
export function claimOf(
  { capps }: Pick<Known, 'capps'>,
  { namespace, name }: Name,
  site: string | null = null,
): Claim {
  const own = capps.get({ namespace, name });
  const others = capps
    .by('work', workName(namespace, name))
    .filter((one) => one !== own && !isNamed(one, { namespace, name }));
  return {
    namespace,
    name,
    site: site ?? (own === undefined ? null : saidSite(own)),
    rivals: others.map(saidSite),
  };
}

/** Where the hub has last said that a Capp is. No site can write any of it. */
export function saidSite({ status, metadata }: Capp): string | null {
  return (
    status?.migration?.serving ??
    status?.applicationLinks?.site ??
    metadata.annotations?.[HAS_PLACEMENT] ??
    null
  );
}

/** Metadata of what stands anywhere under the names that a Capp's works have, as the caches have it. */
export function namedWorks({ works }: Pick<Known, 'works'>, claim: Name): KubeObject[] {
  return workNamesOf(claim).flatMap((one) => works.by('name', one));
}

/**
 * Those that are the Capp's as far as metadata can tell: a name that another has too counts only where the
 * hub says that the Capp is.
 */
export function knownWorks(known: Pick<Known, 'works'>, claim: Claim): KubeObject[] {
  return namedWorks(known, claim).filter((work) => isKnown(work, claim));
}

/**
 * Those that may be the Capp's or another's of which the hub does not say that it is there: only what such a
 * work carries tells whose it is.
 */
export function doubtfulWorks(known: Pick<Known, 'works'>, claim: Claim): KubeObject[] {
  const isRivals = ({ metadata }: KubeObject): boolean => claim.rivals.includes(metadata.namespace ?? '');
  return namedWorks(known, claim).filter((work) => !isKnown(work, claim) && !isRivals(work));
}

function isKnown({ metadata }: KubeObject, claim: Claim): boolean {
  const { site, rivals } = claim;
  return rivals.length === 0 || metadata.namespace === site || isHashed(metadata.name, claim);
}

/**
 * It is this Capp's by its name alone; or by its name, and nobody else could have made it and left our label.
 */
export function isOursByName({ metadata }: KubeObject, { namespace, name, rivals }: Claim): boolean {
  if (!workNamesOf({ namespace, name }).includes(metadata.name)) return false;
  return (
    isHashed(metadata.name, { namespace, name }) ||
    (rivals.length === 0 && isLabelledFor({ metadata }, { namespace, name }))
  );
}

/**
 * The same of a work as it was just read. Of two Capps whose names run together the one has it that is on its
 * cluster, and else the one that it carries. One that bears our label and carries no Capp that could have it
 * was written over by its site.
 */
export function isOurs(work: ManifestWork, claim: Claim): boolean {
  if (isOursByName(work, claim)) return true;
  const { namespace: cluster = '', name, labels } = work.metadata;
  if (!workNamesOf(claim).includes(name)) return false;
  if (claim.site !== cluster && claim.rivals.includes(cluster)) return false;
  const carried = cappIn(work);
  if (carried !== null && isNamed(carried, claim)) return true;
  const isRivals = carried !== null && workNamesOf(carried.metadata).includes(name);
  return claim.rivals.length === 0 && labels?.[MANAGED_BY] === MANAGED_BY_HUB && !isRivals;
}

/**
 * The one Capp that a work carries as our works and the Go operator's do; null if it carries none, or more.
 */
export function cappIn({ spec }: ManifestWork): Manifest | null {
  const capps = (spec?.workload.manifests ?? []).filter(
    ({ kind, apiVersion }) => kind === CAPP.kind && apiVersion.startsWith(GROUP),
  );
  const [capp, ...more] = capps.filter(({ metadata }) => metadata.labels?.[MANAGED_BY] === MANAGED_BY_HUB);
  return capp === undefined || more.length > 0 || capps.length > 1 ? null : capp;
}

const GROUP = `${CAPP.apiVersion.split('/')[0] ?? ''}/`;

function isHashed(work: string, { namespace, name }: Name): boolean {
  return work === hashedWorkName(namespace, name);
}

function isNamed({ metadata }: KubeObject, { namespace, name }: Name): boolean {
  return metadata.namespace === namespace && metadata.name === name;
}
