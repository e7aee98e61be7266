// When a watch first saw each new object of a kind, by name.
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { watch } from '../../kube/watch/watch.ts';

export interface FirstSeen {
  /** Name → when it was added, in milliseconds of `performance.now()`. */
  readonly at: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Resolves when the watch is there. */
export async function firstSeen(hub: Kube, resource: Resource): Promise<FirstSeen> {
  const at = new Map<string, number>();
  const source = watch<KubeObject>(hub, { resource, metadataOnly: true }, ({ type, object: { metadata } }) => {
    if (type === 'Added' && !at.has(metadata.name)) at.set(metadata.name, performance.now());
  });
  await source.synced;
  return { at, stop: () => source.stop() };
}
