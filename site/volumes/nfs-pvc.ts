// The claims for a Capp's NFS volumes, which another operator of the site turns into volumes.
import type { Capp } from '../../crds/capp/capp.ts';
import { NFS_PVC, type NfsPvc } from '../../crds/kubernetes/knative.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';

/** Takes a normalised Capp; gives one object for each NFS volume, in its order, whether the Capp is enabled or not. */
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
