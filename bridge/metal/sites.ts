// What rings a SIPCluster with a site beside what rings all of them: its site, the Drain that empties it, how
// far its hosts are, and what a person says of them.
import { isDeepStrictEqual } from 'node:util';
import type { Drain } from '../../crds/drain/drain.ts';
import { ABANDON_HOSTS, ALLOW_WIPE, SITE_OF_NAME } from '../../crds/metal/labels.ts';
import type { BareMetalHost } from '../../crds/metal/bare-metal-host.ts';
import { hubsOnSite } from '../../crds/ocm/executors.ts';
import type { ManagedCluster } from '../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Cache } from '../../kube/watch/cache.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import type { CallOwner } from '../fleet/keep.ts';
import { BRIDGE_TIMES } from '../times.ts';
import type { KeptSipCluster } from './kept-cluster.ts';

export interface SitesWatched {
  readonly sipClusters: Pick<Optional<KeptSipCluster>, 'get'>;
  readonly clusters: Pick<Cache<ManagedCluster & KubeObject>, 'get' | 'subscribe'>;
  readonly drains: Pick<Cache<Drain & KubeObject>, 'subscribe'>;
}

/** What a person says of the hosts of a site. */
export function wordsOf({ annotations }: KeptSipCluster['metadata']): string {
  return JSON.stringify([annotations?.[ALLOW_WIPE], annotations?.[ABANDON_HOSTS]]);
}

/** Which SIPCluster a site is of is on its ManagedCluster: a hint, and anybody's ring is only a look. */
export function listenToSites({ sipClusters, clusters, drains }: SitesWatched, call: CallOwner): void {
  const ringFor = (site: KubeObject | undefined): void => {
    const [namespace = '', name = ''] = (site?.metadata.annotations?.[SITE_OF_NAME] ?? '').split('/');
    const cluster = sipClusters.get({ namespace, name });
    if (cluster !== undefined) call(cluster, null, null, BRIDGE_TIMES.hosts.ms);
  };
  clusters.subscribe(({ type, object, previous, initial }) => {
    const isSameSite =
      type === 'Modified' && previous !== null && isDeepStrictEqual(siteOf(previous), siteOf(object));
    if (!initial && !isSameSite) ringFor(object);
  });
  drains.subscribe(({ object, initial }) => {
    if (!initial) ringFor(clusters.get({ namespace: null, name: object.metadata.name }));
  });
}

/** Not its heartbeats, and of its claims only which hubs it has. */
function siteOf(managed: ManagedCluster): unknown {
  const { metadata, spec, status } = managed;
  const { uid, labels, annotations, deletionTimestamp } = metadata;
  const holds = (status?.conditions ?? []).map(({ type, status: is }) => [type, is]);
  const hubs = hubsOnSite(managed);
  return [uid, labels, annotations, deletionTimestamp, spec?.hubAcceptsClient, holds, hubs];
}

/** How far a host is that we have provisioned, or wiped. */
export function stepOf({ spec, status }: BareMetalHost): unknown {
  return [spec?.image ?? null, status?.provisioning?.state, status?.operationalStatus, status?.errorMessage];
}
