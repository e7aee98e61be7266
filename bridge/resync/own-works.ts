// Tells from metadata alone which works belong to which Capps: by name, and by labels only where a forged
// label does no harm.
import type { Capp } from '../../crds/capp/capp.ts';
import { CAPP_UID } from '../../crds/labels.ts';
import { isLabelledFor, ownerByAnnotations, workNamesOf } from '../../crds/ocm/work-identity.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { isMoving, siteOf } from '../changes/causes.ts';
import type { BridgeWatched } from '../changes/watched.ts';

type Known = Pick<BridgeWatched, 'capps' | 'works'>;

/**
 * "namespace/name" of the Capps that a work may be for: existing Capps with works of that name, or the
 * deleted Capp that left it.
 */
export function cappsOfWork({ capps }: Pick<BridgeWatched, 'capps'>, work: KubeObject): string[] {
  const living = capps.by('work', work.metadata.name).map(({ metadata }) => keyOf(metadata));
  const left = leftBy({ capps }, work);
  return left === null ? living : [...living, keyOf(left)];
}

/**
 * A Capp's works. Where another Capp may have works of that name, works labelled as the other's are left out.
 */
export function worksOfCapp({ capps, works }: Known, { metadata }: Capp): KubeObject[] {
  const named = workNamesOf(metadata).flatMap((name) => works.by('name', name));
  const rivals = new Set(
    named
      .flatMap((work) => capps.by('work', work.metadata.name))
      .filter((one) => keyOf(one.metadata) !== keyOf(metadata)),
  );
  return named.filter((work) => ![...rivals].some((rival) => isLabelledFor(work, rival.metadata)));
}

/**
 * A living Capp has a work on a cluster where it should not: neither on its site nor while it moves. Its
 * workflow may not know of it, as when the answer of a try was lost.
 */
export function hasStray(watched: Known, capp: Capp): boolean {
  const site = siteOf(capp);
  if (site === null || isMoving(capp) || capp.metadata.deletionTimestamp !== undefined) return false;
  return worksOfCapp(watched, capp).some(
    ({ metadata }) => metadata.namespace !== site && metadata.deletionTimestamp === undefined,
  );
}

/** The Capp that is gone and has left a work of ours; null if it exists, or the work is not ours. */
export function leftBy(
  { capps }: Pick<BridgeWatched, 'capps'>,
  work: KubeObject,
): { namespace: string; name: string } | null {
  const owner = ownerByAnnotations(work);
  return owner !== null && isLabelledFor(work, owner) && capps.get(owner) === undefined ? owner : null;
}

/** The uid of a Capp that is gone, from the work that it left; null if it left none of ours. */
export function uidLeft(
  { works }: Pick<BridgeWatched, 'works'>,
  capp: { namespace: string; name: string },
): string | null {
  const named = workNamesOf(capp).flatMap((name) => works.by('name', name));
  const left = named.find((work) => isLabelledFor(work, capp));
  return left === undefined ? null : (left.metadata.labels?.[CAPP_UID] ?? '');
}

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
