// Keeps for the name of each accepted cluster until when its agents may have certificates, so that nobody who
// had the name before is let in by it again.
import { hasJoined, MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CONFIG_MAP, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import {
  formerUntil,
  nextRecord,
  recordIn,
  recordKey,
  recordMap,
  recordOf,
  RECORDS_NAMESPACE,
  type NamedCluster,
  type NameRecord,
} from '../../../crds/join/name-record.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';

export interface NameTerms {
  /** For how long the hub signs a certificate at most. */
  readonly lifeMs: number;
  readonly now: number;
}

const MADE_BY = { fieldManager: 'cappstan-join' } as const;

/** As `formerUntil` says, read live. Throws ApiError. */
export async function formerOf(
  kube: Kube,
  cluster: string,
  { uid, now }: { readonly uid: string | null; readonly now: number },
): Promise<number | null> {
  return formerUntil(recordIn(await kube.getMetadata(CONFIG_MAP, recordKey(cluster))), uid, now);
}

/**
 * Before the cluster is accepted: from then on somebody may have a certificate for its name. A repeat finds
 * the record. Throws ApiError, a Conflict when another worker was faster.
 */
export async function keepName(
  kube: Kube,
  { metadata: { name, uid = '' } }: ManagedCluster,
  lifeMs: number,
): Promise<void> {
  const known = await kube.getMetadata(CONFIG_MAP, recordKey(name));
  const before = recordIn(known);
  if (before?.uid !== uid) await write(kube, name, { known, record: recordOf(uid, lifeMs, before) });
}

/**
 * Notes who has been accepted otherwise, and since when a cluster is gone; then records that say nothing any
 * more go, of whatever cluster. Writes nothing when all of it is noted. Throws ApiError.
 */
export async function noteName(kube: Kube, name: string, keeping: NameTerms): Promise<void> {
  // In this order: a cluster that was accepted after the record was read is not taken for a former one.
  const known = await kube.getMetadata(CONFIG_MAP, recordKey(name));
  const managed = await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
  const record = nextRecord(recordIn(known), managed === null ? null : namedCluster(managed), keeping);
  if (record === null) return;
  await write(kube, name, { known, record });
  if (record.endsAt !== null) await forgetEnded(kube, keeping.now);
}

export function namedCluster(cluster: ManagedCluster): NamedCluster {
  const { uid = '' } = cluster.metadata;
  return { uid, isAccepted: cluster.spec?.hubAcceptsClient === true, hasCome: hasJoined(cluster) };
}

interface Written {
  /** As it was read. */
  readonly known: KubeObject | null;
  readonly record: NameRecord;
}

async function write(kube: Kube, name: string, { known, record }: Written): Promise<void> {
  const made = recordMap(name, record);
  if (known === null) {
    await kube.create<ConfigMap>(CONFIG_MAP, made, MADE_BY);
    return;
  }
  const { uid, resourceVersion, annotations = {} } = known.metadata;
  const none = Object.fromEntries(Object.keys(annotations).map((key) => [key, null]));
  await kube.patch(
    CONFIG_MAP,
    recordKey(name),
    { metadata: { uid, resourceVersion, annotations: { ...none, ...made.metadata.annotations } } },
    MADE_BY,
  );
}

async function forgetEnded(kube: Kube, now: number): Promise<void> {
  const { items } = await kube.list<ConfigMap>(CONFIG_MAP, { namespace: RECORDS_NAMESPACE });
  for (const { metadata } of items) {
    const { endsAt = null } = recordIn({ metadata }) ?? {};
    const { uid = '', resourceVersion = '' } = metadata;
    if (endsAt !== null && endsAt <= now)
      await kube.remove(CONFIG_MAP, recordKey(metadata.name), { uid, resourceVersion });
  }
}
