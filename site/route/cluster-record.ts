// The cluster-scoped DNS record of a Capp without a hub, where the site serves no other kind. It cannot have
// an owner in a namespace: labels say whose it is, and a finalizer on the Capp stays until it is removed.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { RECORDS, type NamedRecord } from '../../crds/dns-record.ts';
import {
  CAPP_UID,
  MANAGED_BY,
  MANAGED_BY_SITE,
  PARENT_CAPP,
  PARENT_CAPP_NAMESPACE,
  RECORD_FINALIZER,
} from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { isNotFound } from '../../kube/failure.ts';
import { addFinalizer } from '../../kube/finalizer.ts';
import { keyOf } from '../../kube/resource.ts';
import { releaseFinalizer } from '../ending/finalizer.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import { ensureOwn } from '../objects/ensure.ts';
import { asFault, SiteFault } from '../objects/fault.ts';
import type { OperatedSite } from '../watched.ts';
import { isShipped, removeObserving } from './give-up.ts';

const RESOURCE = RECORDS.Cluster;

/** Made by us, or by container-app-operator v0.3.6, which knows no uid. */
export function isRecordOf({ metadata: { labels = {} } }: NamedRecord, capp: Capp): boolean {
  const { name, namespace, uid } = capp.metadata;
  if (labels[CAPP_UID] !== undefined && labels[CAPP_UID] === uid) return true;
  const isNamed = labels[PARENT_CAPP] === name && labels[PARENT_CAPP_NAMESPACE] === namespace;
  return isNamed && labels[MANAGED_BY] === MANAGED_BY_SITE;
}

/** Those that we have made or taken over for this very Capp. */
export function clusterRecordsOf(
  { watched }: Pick<OperatedSite, 'watched'>,
  capp: Capp,
): readonly NamedRecord[] {
  return watched.clusterRecords.by(BY_CAPP, capp.metadata.uid ?? '');
}

/**
 * Makes the record, and removes those that the Capp does not name any more. Throws a SiteFault for a name
 * that a record of somebody else has, a conflict if another Capp gets it at the same moment, and what the
 * client throws. A repeat writes nothing.
 */
export async function claimInCluster(
  site: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  record: NamedRecord | null,
): Promise<void> {
  const refused = record === null ? null : await tried(() => ensureRecord(site, capp, record));
  await removeOthers(site, capp, record?.metadata.name ?? null);
  if (refused !== null) throw asFault(refused, `the ${RESOURCE.kind}`);
}

/** Removes those of other names, and when there is to be none, the finalizer. */
export async function removeOthers(
  site: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  kept: string | null,
): Promise<void> {
  for (const { metadata } of clusterRecordsOf(site, capp)) {
    const { name, uid = '', deletionTimestamp } = metadata;
    if (name === kept || deletionTimestamp !== undefined) continue;
    await site.kube.remove(RESOURCE, { namespace: null, name }, { uid });
  }
  if (kept === null) await letGo(site.kube, capp);
}

/**
 * Removes the finalizer when no record is left. What the API server has counts: a cache may not show a new
 * one yet.
 */
export async function letGo(kube: Pick<Kube, 'list' | 'patch'>, capp: Capp): Promise<void> {
  if (!isHeld(capp)) return;
  const left = await listed(kube, capp);
  const { uid } = capp.metadata;
  if (left.some(({ metadata }) => metadata.labels?.[CAPP_UID] === uid)) return;
  await releaseFinalizer(kube, capp, RECORD_FINALIZER);
}

/**
 * For a Capp that is being deleted. Of one that a hub has shipped the name stays in DNS, and what
 * container-app-operator made stays as it is. A repeat finds none. Throws what the client throws.
 */
export async function removeRecords(
  kube: Pick<Kube, 'list' | 'patch' | 'remove'>,
  capp: Capp,
): Promise<void> {
  for (const record of await listed(kube, capp)) {
    const { uid = '', labels } = record.metadata;
    const owner = labels?.[CAPP_UID];
    if (owner !== undefined && owner !== capp.metadata.uid) continue;
    if (!isShipped(capp)) await kube.remove(RESOURCE, keyOf(record), { uid });
    else if (owner !== undefined) await removeObserving(kube, RESOURCE, record);
  }
}

async function ensureRecord(
  { kube, watched }: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  object: NamedRecord,
): Promise<void> {
  const { name } = object.metadata;
  const live = watched.clusterRecords.get({ namespace: null, name });
  if (live !== undefined && !isRecordOf(live, capp))
    throw new SiteFault(
      'NameTaken',
      `The site has a CNAMERecord ${name} of ${RESOURCE.apiVersion}, which is not of this Capp. Choose another hostname.`,
    );
  // The patch has the version that was read, so it fails if the Capp is deleted meanwhile: no record is made
  // then.
  await addFinalizer(kube, CAPP, capp, RECORD_FINALIZER);
  await ensureOwn(kube, { resource: RESOURCE, object, live, isContested: true });
}

export function isHeld({ metadata: { finalizers = [] } }: Capp): boolean {
  return finalizers.includes(RECORD_FINALIZER);
}

/** Those of the Capp that are not being deleted. */
async function listed(kube: Pick<Kube, 'list'>, capp: Capp): Promise<readonly NamedRecord[]> {
  const { namespace = '', name } = capp.metadata;
  const labelSelector = `${PARENT_CAPP}=${name},${PARENT_CAPP_NAMESPACE}=${namespace}`;
  try {
    const { items } = await kube.list<NamedRecord>(RESOURCE, { labelSelector });
    return items.filter(
      (record) => isRecordOf(record, capp) && record.metadata.deletionTimestamp === undefined,
    );
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function tried(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
}
