// Which DNS records are a Capp's: those with its uid as label, and one that has lost the label, by its name
// and its owner.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { NamedRecord } from '../../../crds/dns-record.ts';
import {
  CAPP_UID,
  MANAGED_BY,
  MANAGED_BY_HUB,
  PARENT_CAPP,
  PARENT_CAPP_NAMESPACE,
} from '../../../crds/labels.ts';
import { ingressNameOf } from '../../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { isNotFound } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/resource.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';

/** Null where the hub has no such kind. */
export async function recordsOf(
  kube: Kube,
  resource: Resource,
  { namespace, uid }: CappRef,
): Promise<readonly NamedRecord[] | null> {
  try {
    return await listed(kube, resource, namespace, { labelSelector: `${CAPP_UID}=${uid}` });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Cluster-scoped records that have lost the uid, and still name the Capp. */
export async function unmarkedOf(
  kube: Kube,
  resource: Resource,
  ref: CappRef,
): Promise<readonly NamedRecord[]> {
  const labelSelector = `${PARENT_CAPP_NAMESPACE}=${ref.namespace},!${CAPP_UID}`;
  const found = await listed(kube, resource, ref.namespace, { labelSelector });
  return found.filter((record) => isOf(record, ref));
}

export interface WantedRecord {
  readonly resource: Resource;
  readonly name: string;
  readonly ref: CappRef;
  /** The Capp's own records, whatever their names. */
  readonly own: readonly NamedRecord[];
}

/** The Capp's record of that name, or else whichever other record has the name. */
export async function recordNamed(
  kube: Kube,
  { resource, name, ref, own }: WantedRecord,
): Promise<{ readonly live?: NamedRecord; readonly other?: NamedRecord }> {
  const live = own.find(({ metadata }) => metadata.name === name);
  if (live !== undefined) return { live };
  const named = await listed(kube, resource, ref.namespace, { fieldSelector: `metadata.name=${name}` });
  const found = named.find(({ metadata }) => metadata.name === name);
  if (found === undefined) return {};
  return isOf(found, ref) ? { live: found } : { other: found };
}

async function listed(
  kube: Kube,
  resource: Resource,
  namespace: string,
  selection: { readonly labelSelector?: string; readonly fieldSelector?: string },
): Promise<readonly NamedRecord[]> {
  const place = resource.namespaced ? { namespace } : {};
  const { items } = await kube.list<NamedRecord>(resource, { ...place, ...selection });
  return items;
}

/** A cluster-scoped record has no owner: what it says of its Capp counts as long as it names no other uid. */
function isOf({ metadata }: NamedRecord, { namespace, name, uid }: CappRef): boolean {
  const { ownerReferences = [], labels = {} } = metadata;
  if (ownerReferences.some((owner) => owner.uid === uid)) return true;
  return (
    labels[CAPP_UID] === undefined &&
    labels[MANAGED_BY] === MANAGED_BY_HUB &&
    labels[PARENT_CAPP_NAMESPACE] === namespace &&
    labels[PARENT_CAPP] === name
  );
}

/** It has the label by which it is found. */
export function isMarked({ metadata: { labels = {} } }: NamedRecord, capp: Capp): boolean {
  return labels[CAPP_UID] === capp.metadata.uid;
}

/** Nobody says whose it is, so it may have been the Capp's, and users follow it to another site than that. */
export function leadsElsewhere(
  { metadata, spec }: NamedRecord,
  clusters: readonly ManagedCluster[],
  serving: string,
): boolean {
  const { ownerReferences = [], labels = {} } = metadata;
  const isOfSomebody = [CAPP_UID, PARENT_CAPP, PARENT_CAPP_NAMESPACE].some((key) => key in labels);
  if (isOfSomebody || ownerReferences.length > 0) return false;
  const target = spec?.forProvider?.cname?.toLowerCase().replace(/\.$/, '');
  return clusters.some((one) => one.metadata.name !== serving && ingressNameOf(one) === target);
}
