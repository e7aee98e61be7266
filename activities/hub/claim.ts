// Which works are a Capp's. Names decide. Where two Capps' works would have the same name, the hub's own
// record of each Capp's site decides, because a site may write the metadata of a work.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { HAS_PLACEMENT, MANAGED_BY, MANAGED_BY_HUB } from '../../crds/labels.ts';
import type { Manifest, ManifestWork } from '../../crds/ocm/ocm.ts';
import { hashedWorkName, isLabelledFor, workName, workNamesOf } from '../../crds/ocm/work-identity.ts';
import type { Cache } from '../../kube/watch/cache.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { CappRef } from '../../workflows/capp/state.ts';

type Name = Pick<CappRef, 'namespace' | 'name'>;

/** Index `work` of Capps and index `name` of works. */
export interface KnownClaims {
  readonly capps: Pick<Cache<Capp>, 'get' | 'by'>;
  readonly works: Pick<Cache<KubeObject>, 'by'>;
}

/** The Capp that asks for works, and other Capps that may have works of the same names. */
export interface WorkClaim extends Name {
  /** The site of the Capp by the hub's record. */
  readonly site: string | null;
  /** The sites of Capps whose works have the same usual name; null for one without a site. */
  readonly rivals: readonly (string | null)[];
}

/** `site` is the Capp's site, if the caller knows better than its status. */
export function claimOf(
  { capps }: Pick<KnownClaims, 'capps'>,
  { namespace, name }: Name,
  site: string | null = null,
): WorkClaim {
  const own = capps.get({ namespace, name });
  const others = capps
    .by('work', workName(namespace, name))
    .filter((one) => one !== own && !isNamed(one, { namespace, name }));
  // A tenant may write annotations: between two Capps whose works share a name, statuses alone decide.
  const siteOf = others.length === 0 ? recordedSite : statusSite;
  return {
    namespace,
    name,
    site: site ?? (own === undefined ? null : siteOf(own)),
    rivals: others.map(statusSite),
  };
}

/**
 * The site that the hub last recorded for a Capp, in its status or in the annotation that the Go operator
 * knows. No site can write any of these fields.
 */
export function recordedSite(capp: Capp): string | null {
  return statusSite(capp) ?? capp.metadata.annotations?.[HAS_PLACEMENT] ?? null;
}

/** The same by its status, which tenants cannot write either. */
export function statusSite({ status }: Capp): string | null {
  return status?.migration?.serving ?? status?.applicationLinks?.site ?? null;
}

/** Metadata of everything that the caches have under the names of the Capp's works. */
export function namedWorks({ works }: Pick<KnownClaims, 'works'>, claim: Name): KubeObject[] {
  return workNamesOf(claim).flatMap((one) => works.by('name', one));
}

/**
 * Works that are the Capp's as far as metadata can tell. A name that another Capp shares counts only on the
 * Capp's recorded site.
 */
export function knownWorks(known: Pick<KnownClaims, 'works'>, claim: WorkClaim): KubeObject[] {
  return namedWorks(known, claim).filter((work) => isKnown(work, claim));
}

/**
 * Works that may be the Capp's, or another's whose recorded site is elsewhere: only the content of such a
 * work tells whose it is.
 */
export function doubtfulWorks(known: Pick<KnownClaims, 'works'>, claim: WorkClaim): KubeObject[] {
  const isRivals = ({ metadata }: KubeObject): boolean => claim.rivals.includes(metadata.namespace ?? '');
  return namedWorks(known, claim).filter((work) => !isKnown(work, claim) && !isRivals(work));
}

function isKnown({ metadata }: KubeObject, claim: WorkClaim): boolean {
  const { site, rivals } = claim;
  return rivals.length === 0 || metadata.namespace === site || isHashed(metadata.name, claim);
}

/**
 * The work is this Capp's by its hashed name; or by its usual name with our label, if no other Capp shares
 * that name.
 */
export function isOursByName({ metadata }: KubeObject, { namespace, name, rivals }: WorkClaim): boolean {
  if (!workNamesOf({ namespace, name }).includes(metadata.name)) return false;
  return (
    isHashed(metadata.name, { namespace, name }) ||
    (rivals.length === 0 && isLabelledFor({ metadata }, { namespace, name }))
  );
}

/**
 * The same for a work that was just read. Of two Capps that share the name, the work belongs to the one on
 * its cluster, and else to the one that it carries. A work with our label that carries no Capp of that name
 * was overwritten by its site.
 */
export function isOurs(work: ManifestWork, claim: WorkClaim): boolean {
  if (isOursByName(work, claim)) return true;
  const { namespace: cluster = '', name, labels } = work.metadata;
  if (!workNamesOf(claim).includes(name)) return false;
  if (claim.site !== cluster && claim.rivals.includes(cluster)) return false;
  const carried = cappIn(work);
  if (carried !== null && isNamed(carried, claim)) return true;
  const isRivals = carried !== null && workNamesOf(carried.metadata).includes(name);
  return claim.rivals.length === 0 && labels?.[MANAGED_BY] === MANAGED_BY_HUB && !isRivals;
}

/** The only Capp in a work of ours or of the Go operator; null if there is none, or more than one. */
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
