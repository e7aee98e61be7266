// Which SIPClusters a change of a Secret concerns: of those that hosts name, and of those that SIPClusters
// name. Of Secrets only the metadata is known, so each version may have another content.
import { ownerOf, type BareMetalHost } from '../../crds/metal/bare-metal-host.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import type { Cache } from '../../kube/watch/cache.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import type { CallOwner } from '../fleet/keep.ts';
import { BRIDGE_TIMES } from '../times.ts';
import type { KeptSipCluster } from './kept-cluster.ts';

export interface SecretsWatched {
  /** Both indexed by `secret`. */
  readonly sipClusters: Pick<Optional<KeptSipCluster>, 'by' | 'list'>;
  readonly hosts: Pick<Optional<BareMetalHost & KubeObject>, 'by'>;
  /** Metadata. */
  readonly secrets: Pick<Cache<KubeObject>, 'subscribe'>;
}

/** "namespace/name" of the Secrets that a host names: of its network data, and of its BMC. */
export function secretsOfHost({ metadata, spec }: BareMetalHost): string[] {
  const { namespace = '' } = metadata;
  return textsOf(namespace, [spec?.networkData?.name, spec?.bmc?.credentialsName]);
}

/**
 * The same of a SIPCluster: of private keys, and of templates of user data. The kubeconfig of its cluster is
 * read by the kubelet alone.
 */
export function secretsOfCluster({ metadata, spec }: KeptSipCluster): string[] {
  const { namespace = '' } = metadata;
  return textsOf(namespace, [
    ...(spec.services.jumpHost ?? []).map(({ nodeSSHPrivateKeys }) => nodeSSHPrivateKeys),
    ...Object.values(spec.site?.userData ?? {}).map(({ secret }) => secret),
  ]);
}

function textsOf(namespace: string, names: readonly (string | undefined)[]): string[] {
  const named = names.filter((name) => name !== undefined && name !== '');
  return [...new Set(named)].map((name) => `${namespace}/${name}`);
}

/** `isWaiting`: it lacks hosts, so a free one that has become good may be for it. */
export function listenToSecrets(
  { sipClusters, hosts, secrets }: SecretsWatched,
  isWaiting: (cluster: KeptSipCluster) => boolean,
  call: CallOwner,
): void {
  secrets.subscribe(({ type, object, previous, initial }) => {
    if (initial || (type === 'Modified' && previous !== null && isSameVersion(previous, object))) return;
    const text = keyTextOf(object);
    const owners = hosts.by('secret', text).map(ownerOf);
    const ring = (owner: { readonly metadata: { namespace?: string; name: string } }): void =>
      call(owner, null, null, BRIDGE_TIMES.hosts.ms);
    for (const owner of owners)
      if (owner !== null && owner.namespace !== '' && owner.name !== '') ring({ metadata: owner });
    for (const cluster of sipClusters.by('secret', text)) ring(cluster);
    if (owners.includes(null)) for (const one of sipClusters.list()) if (isWaiting(one)) ring(one);
  });
}

function isSameVersion({ metadata: was }: KubeObject, { metadata: is }: KubeObject): boolean {
  return was.uid === is.uid && was.resourceVersion === is.resourceVersion;
}
