// How an object is marked as made from a Capp: the Go operator's labels, and an owner reference for the
// garbage collector.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { MANAGED_BY, MANAGED_BY_SITE, PARENT_CAPP } from '../../crds/labels.ts';
import type { OwnerReference, ObjectMeta } from '../../kube/resource.ts';

export function ownLabels(capp: Capp): Record<string, string> {
  return { [PARENT_CAPP]: capp.metadata.name, [MANAGED_BY]: MANAGED_BY_SITE };
}

export function ownerOf(capp: Capp): OwnerReference {
  return {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    name: capp.metadata.name,
    uid: capp.metadata.uid ?? '',
  };
}

/**
 * Whether an object was made from this Capp, by us or by the Go operator before us. Other objects are never
 * written.
 */
export function isOwn(meta: ObjectMeta, capp: Capp): boolean {
  if (meta.ownerReferences?.some((owner) => owner.uid === capp.metadata.uid) === true) return true;
  return meta.labels?.[PARENT_CAPP] === capp.metadata.name && meta.labels[MANAGED_BY] === MANAGED_BY_SITE;
}
