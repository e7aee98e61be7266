// What a site loses when its agent comes to a hub that was restored, by the rules of OCM's work agent: pure.
//
// Of ocm v1.2.1: a work that the hub does not have takes its objects with it an hour after the agent has seen
// that (unmanaged_appliedmanifestwork_controller.go), an object that its work no longer names goes at once
// (appliedmanifestwork_reconciler.go), and so does all of a work that is being deleted.
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { ListedObject, AppliedWork } from './site-list.ts';

export type Why =
  /** The hub does not have the work. */
  | 'NoWork'
  /** The work of the hub does not name the object. */
  | 'NotInWork'
  /** The backup was made while the work was being deleted. */
  | 'WorkEnds';

export interface SiteLoss {
  readonly cluster: string;
  readonly work: string;
  readonly why: Why;
  readonly objects: readonly ListedObject[];
}

export interface SiteWorks {
  readonly cluster: string;
  /** SHA-256 of the hub's address, as sites that joined this hub have it. */
  readonly hubHash: string;
  /** Those of the hub for this cluster. */
  readonly works: readonly ManifestWork[];
  readonly applied: readonly AppliedWork[];
}

/** Another hub's works on the same site are no business of ours. */
function ownWorks({ hubHash, applied }: SiteWorks): readonly AppliedWork[] {
  const own = applied.filter((one) => one.hubHash === hubHash);
  // The agent may know the hub by another address, such as that of a proxy.
  return own.length > 0 ? own : applied;
}

export function lossesOf(site: SiteWorks): readonly SiteLoss[] {
  const { cluster, works } = site;
  const known = new Map(works.map((work) => [work.metadata.name, work]));
  return ownWorks(site).flatMap(({ work: name, objects }): SiteLoss[] => {
    const work = known.get(name);
    const loss = { cluster, work: name };
    if (work === undefined) return [{ ...loss, why: 'NoWork', objects }];
    if (work.metadata.deletionTimestamp !== undefined) return [{ ...loss, why: 'WorkEnds', objects }];
    const gone = objects.filter((object) => !names(work, object));
    return gone.length === 0 ? [] : [{ ...loss, why: 'NotInWork', objects: gone }];
  });
}

/** The works of the hub that the site does not have: they come back. */
export function returningTo(site: SiteWorks): readonly string[] {
  const there = new Set(ownWorks(site).map(({ work }) => work));
  return site.works.map(({ metadata }) => metadata.name).filter((name) => !there.has(name));
}

function names({ spec, status }: ManifestWork, { group, resource, namespace, name }: ListedObject): boolean {
  const metas = status?.resourceStatus?.manifests?.map(({ resourceMeta }) => resourceMeta) ?? [];
  const resourceOf = (kind: string, ofGroup: string): string =>
    metas.find((meta) => meta.kind === kind && (meta.group ?? '') === ofGroup)?.resource ?? guessed(kind);
  return (spec?.workload.manifests ?? []).some(({ apiVersion, kind, metadata }) => {
    const slash = apiVersion.indexOf('/');
    const ofGroup = slash === -1 ? '' : apiVersion.slice(0, slash);
    return (
      ofGroup === group &&
      metadata.name === name &&
      (metadata.namespace ?? '') === namespace &&
      resourceOf(kind, ofGroup) === resource
    );
  });
}

/** As Kubernetes itself guesses a plural (meta.UnsafeGuessKindToResource). */
function guessed(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
