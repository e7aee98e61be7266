// How a DNS record goes without the name leaving DNS: first it only observes, and then it is deleted.
import type { Capp } from '../../crds/capp/capp.ts';
import type { NamedRecord } from '../../crds/dns-record.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { ROLLOUT } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { keyOf, type Resource } from '../../kube/resource.ts';

/** With these alone, the deletion of the object leaves DNS as it is. */
const OBSERVE = ['Observe'] as const;

export function isShipped({ metadata }: Capp): boolean {
  return metadata.annotations?.[ROLLOUT] !== undefined;
}

/**
 * What is deleted is a version that only observes, so its provider leaves the name in DNS; another record may
 * be made at once. A repeat goes on where the last one ended. Throws what the client throws.
 */
export async function removeObserving(
  kube: Pick<Kube, 'patch' | 'remove'>,
  resource: Resource,
  record: NamedRecord,
): Promise<void> {
  const { uid = '', deletionTimestamp } = record.metadata;
  if (deletionTimestamp !== undefined) return;
  const observing = isObserving(record) ? record : await observe(kube, resource, record);
  const { resourceVersion = '' } = observing.metadata;
  await kube.remove(resource, keyOf(record), { uid, resourceVersion });
}

/**
 * Of a Capp that a hub has shipped meanwhile: a record is deleted when its provider has heard that it only
 * observes.
 */
export async function giveUp(
  kube: Pick<Kube, 'patch' | 'remove'>,
  resource: Resource,
  records: readonly NamedRecord[],
): Promise<void> {
  for (const record of records) {
    const { deletionTimestamp, generation } = record.metadata;
    if (deletionTimestamp !== undefined) continue;
    const heard = conditionOf(record.status?.conditions, 'Synced')?.observedGeneration;
    if (!isObserving(record)) await observe(kube, resource, record);
    else if (heard === generation) await removeObserving(kube, resource, record);
  }
}

function isObserving({ spec }: NamedRecord): boolean {
  const policies = spec?.managementPolicies ?? [];
  return policies.length === 1 && policies[0] === OBSERVE[0];
}

function observe(kube: Pick<Kube, 'patch'>, resource: Resource, record: NamedRecord): Promise<NamedRecord> {
  const { uid = '', resourceVersion = '' } = record.metadata;
  return kube.patch<NamedRecord>(resource, keyOf(record), {
    metadata: { uid, resourceVersion },
    spec: { managementPolicies: OBSERVE },
  });
}
