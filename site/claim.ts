// Asks for a Capp's NFS volumes, and lets go of those that it no longer names.
import type { Capp } from '../crds/capp.ts';
import { NFS_PVC } from '../crds/knative.ts';
import { ensure } from './ensure.ts';
import { asFault, SiteFault } from './fault.ts';
import { nfsPvcs } from './render/nfs-pvc.ts';
import { BY_CAPP, type Site } from './watched.ts';

/** Tries all of them before it throws the first SiteFault, or what the client throws. A repeat writes nothing. */
export async function claim({ kube, watched }: Pick<Site, 'kube' | 'watched'>, capp: Capp): Promise<void> {
  const wanted = nfsPvcs(capp);
  const { namespace = '', name } = capp.metadata;
  if (!watched.nfsPvcs.served()) {
    if (wanted.length === 0) return;
    throw new SiteFault('NotServed', 'This site does not serve NfsPvc, so nobody makes the volumes. Install nfspvc-operator on it.');
  }
  const results = await Promise.allSettled(
    wanted.map((object) => {
      const live = watched.nfsPvcs.get({ namespace, name: object.metadata.name });
      return ensure(kube, { capp, resource: NFS_PVC, object, live });
    }),
  );
  const names = new Set(wanted.map((object) => object.metadata.name));
  await sweep({ kube, watched }, capp, `${namespace}/${name}`, names);
  const refused = results.find((result) => result.status === 'rejected');
  if (refused !== undefined) throw asFault(refused.reason, 'an NfsPvc');
}

/** Only what this very Capp owns goes: a namesake's label is not enough to lose a volume by. */
async function sweep(
  { kube, watched }: Pick<Site, 'kube' | 'watched'>,
  capp: Capp,
  key: string,
  names: ReadonlySet<string>,
): Promise<void> {
  const extra = watched.nfsPvcs.by(BY_CAPP, key).filter(({ metadata }) => {
    const owned = metadata.ownerReferences?.some((owner) => owner.uid === capp.metadata.uid) === true;
    return owned && metadata.deletionTimestamp === undefined && !names.has(metadata.name);
  });
  await Promise.all(
    extra.map(({ metadata: { namespace = null, name, uid } }) =>
      kube.remove(NFS_PVC, { namespace, name }, uid === undefined ? {} : { uid }),
    ),
  );
}
