// The provider of DNS records, as a test plays it on a real API server.
import type { NamedRecord } from '../../../../crds/dns-record.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Key, Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';

/** Waits for the record, and says that DNS has what it asks for. */
export async function bringRecord(kube: Kube, resource: Resource, key: Key): Promise<void> {
  const { metadata, spec } = await eventually(
    async () => (await kube.get<NamedRecord>(resource, key)) ?? undefined,
  );
  const conditions = ['Synced', 'Ready'].map((type) => ({
    type,
    status: 'True',
    reason: 'Available',
    observedGeneration: metadata.generation,
  }));
  const status = { atProvider: spec?.forProvider, conditions };
  await kube.patch(resource, key, { status }, { subresource: 'status' });
}
