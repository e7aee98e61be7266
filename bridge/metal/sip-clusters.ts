// Which SIPClusters a change on the hub concerns: of themselves, of the hosts that they have, of the Secrets
// that are named, and, for those that lack hosts, of any host that is or was nobody's.
import { isDeepStrictEqual } from 'node:util';
import {
  BARE_METAL_HOST,
  isFailed,
  ownerOf,
  troubleOf,
  type BareMetalHost,
  type HostOwner,
} from '../../crds/metal/bare-metal-host.ts';
import { slimHost } from '../../crds/metal/slim-host.ts';
import { SIP_CLUSTER } from '../../crds/metal/sip-cluster.ts';
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../crds/kubernetes/core.ts';
import { MANAGED_BY } from '../../crds/labels.ts';
import { MANAGED_BY_SIP, PROVISIONED_FOR, RESERVED_FOR, SIP_CLUSTER_NAME } from '../../crds/metal/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { keyText, type KubeObject } from '../../kube/resource.ts';
import { withoutManagedFields, type OnProblem } from '../../kube/watch/cache.ts';
import { optional, type Optional } from '../../kube/watch/optional.ts';
import type { CallOwner, KeptKind } from '../fleet/keep.ts';
import { BRIDGE_TIMES } from '../times.ts';
import { keptCluster, type KeptSipCluster } from './kept-cluster.ts';
import { listenToSecrets, secretsOfCluster, secretsOfHost, type SecretsWatched } from './secrets.ts';
import { listenToSites, stepOf, wordsOf, type SitesWatched } from './sites.ts';

type Clusters = Pick<Optional<KeptSipCluster>, 'get' | 'list' | 'by' | 'served' | 'subscribe'>;
type Hosts = Pick<Optional<BareMetalHost & KubeObject>, 'list' | 'by' | 'subscribe' | 'onServed'>;

/**
 * A Service or a Deployment of a SIPCluster, of its status only what says whether it serves; or the metadata
 * of a Secret or a ConfigMap.
 */
export type MetalNeighbour = KubeObject & { readonly spec?: unknown; readonly status?: unknown };

export interface MetalWatched
  extends Pick<SitesWatched, 'clusters' | 'drains'>, Pick<SecretsWatched, 'secrets'> {
  readonly sipClusters: Clusters;
  readonly hosts: Hosts;
  /** Empty where none is made. */
  readonly services: readonly Pick<Optional<MetalNeighbour>, 'subscribe'>[];
}

/** Without sites, Drains and Secrets, which the bridge watches for others as well. */
export interface MetalWatch extends Omit<MetalWatched, 'clusters' | 'drains' | 'secrets'> {
  readonly sipClusters: Optional<KeptSipCluster>;
  readonly hosts: Optional<BareMetalHost & KubeObject>;
  readonly services: readonly Optional<MetalNeighbour>[];
}

/**
 * Kinds of which the hub may not serve each, Deployments among them: they are watched from when they come.
 */
export function watchMetal(kube: Kube, onProblem: OnProblem, withServices = false): MetalWatch {
  return {
    services: withServices
      ? [CORE_SERVICE, DEPLOYMENT, SECRET, CONFIG_MAP].map((resource) =>
          optional<MetalNeighbour>(kube, {
            resource,
            metadataOnly: resource === SECRET || resource === CONFIG_MAP,
            labelSelector: `${MANAGED_BY}=${MANAGED_BY_SIP},${SIP_CLUSTER_NAME}`,
            transform: withoutTimes,
            onProblem: (error) => onProblem(resource.kind, error),
          }),
        )
      : [],
    sipClusters: optional<KeptSipCluster>(kube, {
      resource: SIP_CLUSTER,
      transform: keptCluster,
      indexes: { secret: secretsOfCluster },
      onProblem: (error) => onProblem(SIP_CLUSTER.kind, error),
    }),
    hosts: optional<BareMetalHost>(kube, {
      resource: BARE_METAL_HOST,
      transform: withoutHardware,
      indexes: { secret: secretsOfHost },
      onProblem: (error) => onProblem(BARE_METAL_HOST.kind, error),
    }),
  };
}

/** What an operator finds out about a host's hardware is most of it. */
function withoutHardware(host: BareMetalHost): BareMetalHost {
  const { metadata, spec, status } = slimHost(host);
  const { bmc = null, consumerRef = null, networkData = null, image = null } = spec ?? {};
  const { operationalStatus = '', errorMessage = '', provisioning } = status ?? {};
  const state = provisioning?.state ?? '';
  return {
    metadata,
    spec: { bmc, consumerRef, networkData, image },
    status: { operationalStatus, errorMessage, provisioning: { state } },
  };
}

/** Conditions of a Deployment have the time of the last look at it. */
function withoutTimes(object: MetalNeighbour): MetalNeighbour {
  const { metadata, spec, status } = withoutManagedFields(object);
  if (spec === undefined) return { metadata };
  const { observedGeneration, replicas, updatedReplicas, availableReplicas, terminatingReplicas } = (status ??
    {}) as Readonly<Record<string, unknown>>;
  return {
    metadata,
    spec,
    status: { observedGeneration, replicas, updatedReplicas, availableReplicas, terminatingReplicas },
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
      const heard: CallOwner = (...args) => {
        if (own.isOn) call(...args);
      };
      listenToClusters(sipClusters, heard);
      listenToHosts(watched, heard);
      listenToServices(watched, heard);
      listenToSites(watched, heard);
      listenToSecrets(watched, isWaiting, heard);
      hosts.onServed(() => {
        for (const cluster of sipClusters.list()) heard(cluster, null, null);
      });
      // Of what is made beside them, nobody has heard of edits while no bridge ran.
      for (const cluster of sipClusters.list())
        if ((cluster.status?.services ?? []).length > 0) heard(cluster, null, null, BRIDGE_TIMES.hosts.ms);
      return () => {
        own.isOn = false;
      };
    },
  };
}

interface Listening {
  isOn: boolean;
}

function listenToClusters(clusters: Clusters, call: CallOwner): void {
  clusters.subscribe(({ type, object, previous }) => {
    // A Modified of the first list cannot be told from one that was missed.
    if (type !== 'Modified' || previous === null || isNews(previous, object)) call(object, null, null);
  });
}

/** A change of the status alone is no news, nor is our finalizer. */
function isNews({ metadata: was }: KeptSipCluster, { metadata: is }: KeptSipCluster): boolean {
  return (
    was.uid !== is.uid ||
    was.generation !== is.generation ||
    was.deletionTimestamp !== is.deletionTimestamp ||
    wordsOf(was) !== wordsOf(is)
  );
}

function listenToHosts({ sipClusters, hosts }: MetalWatched, call: CallOwner): void {
  hosts.subscribe(({ type, object, previous, initial }) => {
    if (initial || (previous !== null && type === 'Modified' && isSame(previous, object))) return;
    const owners = [previous, object].map((host) => (host === null ? null : ownerOf(host)));
    for (const owner of owners)
      if (isSomebody(owner)) call({ metadata: owner }, null, null, BRIDGE_TIMES.hosts.ms);
    if (!owners.includes(null)) return;
    for (const cluster of sipClusters.list())
      if (isWaiting(cluster)) call(cluster, null, null, BRIDGE_TIMES.hosts.ms);
  });
}

/**
 * An edit by hand is put back, and what serves is said. Our own writes ring, too: the look finds nothing.
 */
function listenToServices({ sipClusters, services }: MetalWatched, call: CallOwner): void {
  for (const one of services)
    one.subscribe(({ type, object, previous, initial }) => {
      const isSameAsBefore =
        type === 'Modified' && previous !== null && isDeepStrictEqual(shownOf(previous), shownOf(object));
      const [now, before] = [object, previous].map((seen) => seen?.metadata.labels?.[SIP_CLUSTER_NAME]);
      const name = now ?? before;
      if (initial || isSameAsBefore || name === undefined) return;
      const cluster = sipClusters.get({ namespace: object.metadata.namespace ?? '', name });
      // Anybody may write the label.
      if (cluster !== undefined) call(cluster, null, null, BRIDGE_TIMES.hosts.ms);
    });
}

/** Where the metadata alone is seen, each version may have another content. */
function shownOf({
  metadata: { uid, labels, deletionTimestamp, resourceVersion },
  spec,
  status,
}: MetalNeighbour): unknown {
  return [uid, labels, deletionTimestamp, spec ?? resourceVersion, status];
}

/** In all that a plan and services rest on. */
function isSame(before: BareMetalHost, after: BareMetalHost): boolean {
  const of = (host: BareMetalHost): unknown => [
    host.metadata.uid,
    host.metadata.labels ?? {},
    host.metadata.annotations?.[RESERVED_FOR],
    troubleOf(host),
    isFailed(host),
    [host.spec?.bmc ?? null, host.spec?.networkData ?? null],
    host.metadata.annotations?.[PROVISIONED_FOR] === undefined ? null : stepOf(host),
  ];
  return isDeepStrictEqual(of(before), of(after));
}

/** A person may have taken one label off: then no SIPCluster can have it. */
function isSomebody(owner: HostOwner | null): owner is HostOwner {
  return owner !== null && owner.namespace !== '' && owner.name !== '';
}

/** A host that comes free may be for it: it lacks some, or has one that has failed. */
function isWaiting({ status }: KeptSipCluster): boolean {
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
    return isSomebody(owner) ? [owner] : [];
  });
  return new Set(owners.filter((owner) => sipClusters.get(owner) === undefined).map(keyText));
}
