// What Kubernetes says of a SIPCluster and of all hosts, read live.
import {
  BARE_METAL_HOST,
  isAvailable,
  ownerOf,
  troubleOf,
  type BareMetalHost,
  type HostTrouble,
} from '../../../crds/metal/bare-metal-host.ts';
import { PROVISIONED_FOR, RESERVED_FOR } from '../../../crds/metal/labels.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { slimHost } from '../../../crds/metal/slim-host.ts';
import type { Kube } from '../../../kube/client.ts';
import { isNotFound } from '../../../kube/failure.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import type { SipRef } from '../../../workflows/metal/port.ts';
import { planHosts, type HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { failingBy, passedOverBy } from './failing.ts';
import type { ServiceNamespaces } from './services/serve.ts';
import type { RoleAsk, SeenHost } from '../../../workflows/metal/plan/inventory.ts';

export interface MetalGround {
  /** Null: there is none of that name. */
  readonly cluster: SipCluster | null;
  /** Null: the hub serves no BareMetalHosts. */
  readonly hosts: readonly BareMetalHost[] | null;
}

/** Null: the hub serves no SIPClusters, so nothing is known of this one. Throws ApiError. */
export async function readGround(kube: Kube, ref: SipRef): Promise<MetalGround | null> {
  const [cluster, hosts] = await Promise.all([readCluster(kube, ref), readHosts(kube)]);
  return cluster === undefined ? null : { cluster, hosts };
}

/**
 * A `get` cannot tell a kind that is not served, as while an API server starts, from an object that is not
 * there; a list can. Undefined: not served.
 */
async function readCluster(kube: Kube, { namespace, name }: SipRef): Promise<SipCluster | null | undefined> {
  const fieldSelector = `metadata.name=${name}`;
  const found = await unlessNotServed(kube.list<SipCluster>(SIP_CLUSTER, { namespace, fieldSelector }));
  return found === null ? undefined : (found.items[0] ?? null);
}

async function readHosts(kube: Kube): Promise<readonly BareMetalHost[] | null> {
  return (
    (await unlessNotServed(kube.list<BareMetalHost>(BARE_METAL_HOST, { keep: slimHost })))?.items ?? null
  );
}

async function unlessNotServed<T>(listing: Promise<T>): Promise<T | null> {
  return listing.catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
}

export function isOf(host: BareMetalHost, { namespace, name }: SipRef): boolean {
  const owner = ownerOf(host);
  return owner?.namespace === namespace && owner.name === name;
}

/**
 * We have reserved it, and somebody has taken off a label that says for whom: no SIPCluster would ever give
 * it back. A host that is provisioned stays as it is: it may run a site, and is its SIPCluster's again, to be
 * wiped one day, when the label is put back.
 */
export function isHalfReserved(host: BareMetalHost): boolean {
  const owner = ownerOf(host);
  const isHalf = owner !== null && (owner.namespace === '' || owner.name === '');
  const { [RESERVED_FOR]: reservedFor, [PROVISIONED_FOR]: provisionedFor } = host.metadata.annotations ?? {};
  return isHalf && reservedFor !== undefined && provisionedFor === undefined;
}

export interface Seeing {
  /** Namespaces of SIPClusters that may have sites, and of the hosts of these. */
  readonly provisions: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Where the hub workers may make services, and sites. */
export interface MetalNamespaces {
  readonly serves: ServiceNamespaces;
  readonly provisions: ReadonlySet<string>;
}

/** As which hub the workers look at a SIPCluster, and where they may make something for it. */
export interface LookingAs extends MetalNamespaces {
  /** The hub's id; empty where it has none. */
  readonly hub: string;
}

/** One look, with all that it goes by beside what it reads. */
export interface Looking extends LookingAs, Seeing {}

export function planOf(cluster: SipCluster, hosts: readonly BareMetalHost[], seeing: Seeing): HostPlan {
  return planHosts(seenHosts(hosts, cluster, seeing), asksOf(cluster), seeing.now);
}

/** As the planner sees them. A host has failed since the status says so, or since now. */
export function seenHosts(
  hosts: readonly BareMetalHost[],
  cluster: Pick<SipCluster, 'metadata' | 'spec' | 'status'>,
  { provisions, now }: Seeing,
): SeenHost[] {
  const { metadata, spec } = cluster;
  const isSite = spec.site !== undefined;
  const mayProvision = (namespace = ''): boolean =>
    provisions.has(metadata.namespace ?? '') && provisions.has(namespace);
  const forSite = (host: BareMetalHost): HostTrouble | null => {
    if (!isSite) return null;
    if (!mayProvision(host.metadata.namespace)) return 'NotAllowedHere';
    // What is to be provisioned must be so that Metal³ can do it.
    return isAvailable(host) ? null : 'NotAvailable';
  };
  const ref = { namespace: metadata.namespace ?? '', name: metadata.name };
  const failing = failingBy(cluster, now);
  const failedBefore = passedOverBy(cluster);
  return hosts.map((host): SeenHost => {
    const key = keyTextOf(host);
    const isMine = isOf(host, ref);
    const owner = ownerOf(host);
    const fails = isMine ? failing(host) : null;
    const before = isMine ? undefined : failedBefore.get(key);
    return {
      key,
      labels: host.metadata.labels ?? {},
      owner: owner === null ? 'nobody' : isMine ? { mine: owner.role } : 'another',
      trouble: troubleOf(host) ?? forSite(host),
      failedSince: fails?.since ?? null,
      ...(fails === null || fails.says === null ? {} : { failure: fails.says }),
      ...(before === undefined ? {} : { passedOver: before }),
    };
  });
}

export function asksOf({ spec }: Pick<SipCluster, 'spec'>): RoleAsk[] {
  return Object.entries(spec.nodes ?? {}).map(([role, { labelSelector, topologyKey, count }]) => ({
    role,
    selector: labelSelector ?? {},
    topologyKey: topologyKey === undefined || topologyKey === '' ? null : topologyKey,
    wanted: (count?.active ?? 0) + (count?.standby ?? 0),
  }));
}
