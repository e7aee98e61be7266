// Which SIPClusters a change on the hub concerns: of themselves, of the hosts that they have, and, for those
// that lack hosts, of any host that is or was nobody's.
import { isDeepStrictEqual } from 'node:util';
import {
  BARE_METAL_HOST,
  isFailed,
  ownerOf,
  troubleOf,
  type BareMetalHost,
} from '../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../crds/metal/sip-cluster.ts';
import { RESERVED_FOR } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { keyText, type KubeObject } from '../../kube/resource.ts';
import { withoutManagedFields, type OnProblem } from '../../kube/watch/cache.ts';
import { optional, type Optional } from '../../kube/watch/optional.ts';
import type { Call, KeptKind } from '../fleet/keep.ts';
import { BRIDGE_TIMES } from '../times.ts';

type Clusters = Pick<Optional<SipCluster & KubeObject>, 'get' | 'list' | 'served' | 'subscribe'>;
type Hosts = Pick<Optional<BareMetalHost & KubeObject>, 'list' | 'subscribe' | 'onServed'>;

export interface MetalWatched {
  readonly sipClusters: Clusters;
  readonly hosts: Hosts;
}

export interface MetalWatch {
  readonly sipClusters: Optional<SipCluster & KubeObject>;
  readonly hosts: Optional<BareMetalHost & KubeObject>;
}

/** Two kinds, each of which the hub may not serve: they are watched from when they come. */
export function watchMetal(kube: Kube, onProblem: OnProblem): MetalWatch {
  return {
    sipClusters: optional<SipCluster>(kube, {
      resource: SIP_CLUSTER,
      transform: withoutManagedFields,
      onProblem: (error) => onProblem(SIP_CLUSTER.kind, error),
    }),
    hosts: optional<BareMetalHost>(kube, {
      resource: BARE_METAL_HOST,
      transform: withoutHardware,
      onProblem: (error) => onProblem(BARE_METAL_HOST.kind, error),
    }),
  };
}

/** What an operator finds out about a host's hardware is most of it. */
function withoutHardware(host: BareMetalHost): BareMetalHost {
  const { metadata, spec, status } = withoutManagedFields(host);
  const { consumerRef = null, networkData = null } = spec ?? {};
  const { operationalStatus = '', provisioning } = status ?? {};
  const state = provisioning?.state ?? '';
  return {
    metadata,
    spec: { consumerRef, networkData },
    status: { operationalStatus, provisioning: { state } },
  };
}

export function keptSipClusters(watched: MetalWatched): KeptKind {
  const { sipClusters, hosts } = watched;
  return {
    kind: 'SIPCluster',
    list: () => sipClusters.list(),
    get: (key) => sipClusters.get(key),
    leftBy: () => leftBy(watched),
    listen: (call) => {
      const own: Listening = { isOn: true };
      const heard: Call = (...args) => {
        if (own.isOn) call(...args);
      };
      listenToClusters(sipClusters, heard);
      listenToHosts(watched, heard);
      hosts.onServed(() => {
        for (const cluster of sipClusters.list()) heard(cluster, null, null);
      });
      return () => {
        own.isOn = false;
      };
    },
  };
}

interface Listening {
  isOn: boolean;
}

function listenToClusters(clusters: Clusters, call: Call): void {
  clusters.subscribe(({ type, object, previous }) => {
    // A Modified of the first list cannot be told from one that was missed.
    if (type !== 'Modified' || previous === null || isNews(previous, object)) call(object, null, null);
  });
}

/** A change of the status alone is no news, nor is our finalizer. */
function isNews({ metadata: was }: SipCluster, { metadata: is }: SipCluster): boolean {
  return (
    was.uid !== is.uid || was.generation !== is.generation || was.deletionTimestamp !== is.deletionTimestamp
  );
}

function listenToHosts({ sipClusters, hosts }: MetalWatched, call: Call): void {
  hosts.subscribe(({ type, object, previous, initial }) => {
    if (initial || (previous !== null && type === 'Modified' && isSame(previous, object))) return;
    const owners = [previous, object].map((host) => (host === null ? null : ownerOf(host)));
    for (const owner of owners)
      if (owner !== null && owner.name !== '') call({ metadata: owner }, null, null, BRIDGE_TIMES.hosts.ms);
    if (!owners.includes(null)) return;
    for (const cluster of sipClusters.list())
      if (isWaiting(cluster)) call(cluster, null, null, BRIDGE_TIMES.hosts.ms);
  });
}

/** In all that a plan rests on. */
function isSame(before: BareMetalHost, after: BareMetalHost): boolean {
  const of = (host: BareMetalHost): unknown => [
    host.metadata.uid,
    host.metadata.labels ?? {},
    host.metadata.annotations?.[RESERVED_FOR],
    troubleOf(host),
    isFailed(host),
  ];
  return isDeepStrictEqual(of(before), of(after));
}

/** A host that comes free may be for it: it lacks some, or has one that has failed. */
function isWaiting({ status }: SipCluster): boolean {
  const reserved = status?.conditions?.find(({ type }) => type === 'HostsReserved');
  return (
    reserved?.status !== 'True' ||
    status?.hosts?.some(({ failedSince }) => failedSince !== undefined) === true
  );
}

/**
 * Only while SIPClusters are known: a kind that is not served has no objects, and says nothing about them.
 */
function leftBy({ sipClusters, hosts }: MetalWatched): Set<string> {
  if (!sipClusters.served()) return new Set();
  const owners = hosts.list().flatMap((host) => {
    const owner = host.metadata.annotations?.[RESERVED_FOR] === undefined ? null : ownerOf(host);
    return owner === null || owner.name === '' ? [] : [owner];
  });
  return new Set(owners.filter((owner) => sipClusters.get(owner) === undefined).map(keyText));
}
