// The works of a Capp as end-to-end tests look at them: on which cluster, and what they carry.
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../crds/ocm/ocm.ts';
import type { Kube } from '../kube/client.ts';

export function workOf(hub: Kube, { namespace, name }: { namespace: string; name: string }, cluster: string): Promise<ManifestWork | null> {
  return hub.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name: `mw-create-${namespace}-${name}` });
}

export function manifestsOf(work: ManifestWork | null): readonly Manifest[] {
  if (work === null) throw new Error('There is no such work');
  return work.spec?.workload.manifests ?? [];
}

/** Throws when the work does not carry exactly one. */
export function manifestIn(work: ManifestWork | null, kind: string, name: string): Manifest {
  const [found, ...more] = manifestsOf(work).filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined || more.length > 0) throw new Error(`The work does not carry ${kind} ${name} once`);
  return found;
}
