// Asks for what a Capp has besides its workload: its NFS volumes, and the domain that leads to it.
import type { Capp } from '../crds/capp/capp.ts';
import { DOMAIN_MAPPING, NFS_PVC } from '../crds/kubernetes/knative.ts';
import { keep } from './objects/keep.ts';
import { domainMapping } from './route/domain-mapping.ts';
import { nfsPvcs } from './volumes/nfs-pvc.ts';
import type { Site } from './watched.ts';

type Where = Pick<Site, 'kube' | 'watched'>;

/** Throws as `keep` does. A repeat writes nothing. */
export async function claimVolumes({ kube, watched }: Where, capp: Capp): Promise<void> {
  const absent = 'This site does not serve NfsPvc, so nobody makes the volumes. Install nfspvc-operator on it.';
  await keep(kube, { capp, resource: NFS_PVC, known: watched.nfsPvcs, objects: nfsPvcs(capp), absent });
}

/** Throws as `keep` does. A repeat writes nothing. */
export async function claimDomain({ kube, watched }: Where, capp: Capp): Promise<void> {
  const absent = 'This site does not serve DomainMapping, so nothing answers for the hostname. Install Knative Serving on it.';
  const object = domainMapping(capp);
  await keep(kube, {
    capp,
    resource: DOMAIN_MAPPING,
    known: watched.domainMappings,
    objects: object === null ? [] : [object],
    absent,
  });
}
