// How many works each Capp of a benchmark has had at the same time, and which.
import { MANIFEST_WORK, type ManifestWork } from '../../crds/ocm/ocm.ts';
import { watch } from '../../kube/watch/watch.ts';
import type { Testbed } from './testbed.ts';

export interface WorksOfEach {
  /** The most works that one Capp has had at once. */
  most(): number;
  /** The uid of each Capp's work, by the Capp's name; of those that have one. */
  uids(): ReadonlyMap<string, string>;
}

/** Watches until the end of the benchmark. */
export async function worksOfEach({ hub, namespace, afterwards }: Testbed): Promise<WorksOfEach> {
  const prefix = `mw-create-${namespace}-`;
  const works = new Map<string, Map<string, string>>();
  let most = 0;
  const source = watch<ManifestWork>(
    hub,
    { resource: MANIFEST_WORK, metadataOnly: true },
    ({ type, object: { metadata } }) => {
      if (!metadata.name.startsWith(prefix)) return;
      const capp = metadata.name.slice(prefix.length);
      const its = works.get(capp) ?? new Map<string, string>();
      if (type === 'Deleted') its.delete(metadata.namespace ?? '');
      else its.set(metadata.namespace ?? '', metadata.uid ?? '');
      works.set(capp, its);
      most = Math.max(most, its.size);
    },
  );
  await source.synced;
  afterwards(() => source.stop());
  return {
    most: () => most,
    uids: () => new Map([...works].flatMap(([capp, its]) => [...its.values()].map((uid) => [capp, uid]))),
  };
}
