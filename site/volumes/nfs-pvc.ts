// The claims for a Capp's NFS volumes, which another operator of the site turns into volumes.
import type { Capp } from '../../crds/capp/capp.ts';
import { NFS_PVC, type NfsPvc } from '../../crds/kubernetes/knative.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';

/**
 * Takes a normalised Capp. Returns one object for each NFS volume, in order, whether the Capp is enabled or
 * not.
 */
export function nfsPvcs(capp: Capp): readonly NfsPvc[] {
  return (capp.spec.volumesSpec?.nfsVolumes ?? []).map(({ name, server, path, capacity }) => ({
    apiVersion: NFS_PVC.apiVersion,
    kind: NFS_PVC.kind,
    metadata: {
      name,
      ...(capp.metadata.namespace === undefined ? {} : { namespace: capp.metadata.namespace }),
      labels: ownLabels(capp),
      ownerReferences: [ownerOf(capp)],
    },
    spec: { server, path, capacity, accessModes: ['ReadWriteMany'] },
  }));
}

/** Throws as `ensureAll` does. A repeat writes nothing. */
export async function claimVolumes(
  { kube, watched }: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
): Promise<void> {
  const absent =
    'This site does not serve NfsPvc, so the volumes cannot be created. Install nfspvc-operator on it.';
  await ensureAll(kube, { capp, resource: NFS_PVC, known: watched.nfsPvcs, objects: nfsPvcs(capp), absent });
}
