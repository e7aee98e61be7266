// Releases finalizers of the Capps of a site: that of container-app-operator, and ours where a Capp has a
// cluster-scoped DNS record. All else the garbage collector removes. What that operator made without an owner
// is removed first.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { CERTIFICATE } from '../../crds/kubernetes/certificate.ts';
import { KAFKA_SOURCE, PING_SOURCE } from '../../crds/kubernetes/eventing.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, NFS_PVC } from '../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT } from '../../crds/kubernetes/logging.ts';
import { FINALIZER } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { isConflict } from '../../kube/failure.ts';
import { removeFinalizers } from '../../kube/finalizer.ts';
import { keyOf, keyTextOf, type KubeObject, type Resource } from '../../kube/resource.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import { isOwn } from '../objects/owned.ts';
import type { Watched } from '../watched.ts';

export function hasFinalizer({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(FINALIZER) === true;
}

/**
 * False if the Capp has changed since it was seen: it is looked at again then. A repeat finds no finalizer
 * and writes nothing. Throws what the client throws.
 */
export async function releaseFinalizer(
  kube: Pick<Kube, 'patch'>,
  capp: Capp,
  ...released: readonly string[]
): Promise<boolean> {
  try {
    await removeFinalizers(kube, CAPP, capp, released);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** The caches in which what a Capp owns is found by the Capp. */
export type Owned = Pick<
  Watched,
  | 'services'
  | 'domainMappings'
  | 'certificates'
  | 'nfsPvcs'
  | 'syslogNgFlows'
  | 'syslogNgOutputs'
  | 'pingSources'
  | 'kafkaSources'
>;

/**
 * For a Capp that is being deleted: removes what belongs to it and no garbage collector would find. A repeat
 * finds nothing. Throws what the client throws.
 */
export async function removeOwnerless(kube: Pick<Kube, 'remove'>, owned: Owned, capp: Capp): Promise<void> {
  const named = <T extends KubeObject>(kind: Optional<T>): readonly T[] => {
    const found = kind.served() ? kind.get(keyOf(capp)) : undefined;
    return found === undefined ? [] : [found];
  };
  const kinds: readonly (readonly [Resource, readonly KubeObject[]])[] = [
    [KNATIVE_SERVICE, named(owned.services)],
    [DOMAIN_MAPPING, owned.domainMappings.by(BY_CAPP, keyTextOf(capp))],
    [CERTIFICATE, owned.certificates.by(BY_CAPP, keyTextOf(capp))],
    [NFS_PVC, owned.nfsPvcs.by(BY_CAPP, keyTextOf(capp))],
    [SYSLOG_NG_FLOW, owned.syslogNgFlows.by(BY_CAPP, keyTextOf(capp))],
    [SYSLOG_NG_OUTPUT, owned.syslogNgOutputs.by(BY_CAPP, keyTextOf(capp))],
    [PING_SOURCE, owned.pingSources.by(BY_CAPP, keyTextOf(capp))],
    [KAFKA_SOURCE, owned.kafkaSources.by(BY_CAPP, keyTextOf(capp))],
  ];
  for (const [resource, objects] of kinds)
    for (const object of objects) {
      const { uid, ownerReferences = [], deletionTimestamp } = object.metadata;
      const isCollected = ownerReferences.some((owner) => owner.uid === capp.metadata.uid);
      if (isCollected || deletionTimestamp !== undefined || !isOwn(object.metadata, capp)) continue;
      await kube.remove(resource, keyOf(object), uid === undefined ? {} : { uid });
    }
}
