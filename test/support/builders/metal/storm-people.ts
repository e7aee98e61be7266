// What people do in a storm: they write SIPClusters, and edit hosts by hand, whoever has them.
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type NodeSet, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { SipRef } from '../../../../workflows/metal/port.ts';
import type { ApiServer } from '../../simulator/api/api-server.ts';
import type { Random } from '../random.ts';

export const NAMESPACE = 'metal';
export const RACK = 'rack';
const HOSTS = 40;
const RACKS = 10;
const SIP_LABELS = [CLUSTER_NAMESPACE, CLUSTER_NAME, NODE_TYPE] as const;

type Labels = Record<string, string>;

export class StormPeople {
  readonly #server: ApiServer;
  readonly #dice: Random;
  readonly #refs: readonly SipRef[];
  readonly #hosts = Array.from({ length: HOSTS }, (_, index) => `h${String(index).padStart(2, '0')}`);
  #made = 0;

  constructor(server: ApiServer, dice: Random, refs: readonly SipRef[]) {
    this.#server = server;
    this.#dice = dice;
    this.#refs = refs;
    for (const name of this.#hosts) this.#makeHost(name);
    for (const ref of refs) this.#makeCluster(ref);
  }

  /** One of them does something. */
  edit(): void {
    const { pick } = this.#dice;
    const host = pick(this.#hosts);
    const ref = pick(this.#refs);
    pick([
      () => this.#scale(ref),
      () => this.#scale(ref),
      () => this.#label(host, (labels) => without(labels, SIP_LABELS)),
      () => this.#label(host, (labels) => without(labels, [pick(SIP_LABELS)])),
      () => this.#label(host, (labels) => ({ ...labels, [RACK]: this.#rack() })),
      () => this.#label(host, (labels) => ({ ...labels, ...ownedBy(ref, pick(['ControlPlane', 'Worker'])) })),
      () => this.#change(host, (one) => ({ ...one, spec: { ...one.spec, consumerRef: { name: 'x' } } })),
      () => this.#change(host, ({ spec, ...one }) => ({ ...one, spec: { ...spec, networkData: null } })),
      () => this.#status(host, 'error'),
      () => this.#status(host, 'error'),
      () => this.#status(host, 'OK'),
      () => this.#server.put(BARE_METAL_HOST, keyOf(host), () => null),
      () => this.#server.remove(BARE_METAL_HOST, keyOf(host)),
      () => this.#again(host),
      () => this.#server.remove(SIP_CLUSTER, ref),
      () => this.#server.put(SIP_CLUSTER, ref, () => null),
      () => this.#makeCluster(ref),
    ])();
    this.collect();
  }

  /** The storm is over: every host is well, and whoever was to be deleted goes. */
  mend(): void {
    for (const name of this.#hosts) {
      this.collect();
      this.#status(name, 'OK');
      if (this.#server.read(BARE_METAL_HOST, keyOf(name)) === null) this.#makeHost(name);
    }
  }

  /** Kubernetes takes away what is deleted and has no finalizer. */
  collect(): void {
    for (const resource of [BARE_METAL_HOST, SIP_CLUSTER])
      for (const { metadata } of this.#server.all(resource))
        if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0)
          this.#server.put(resource, keyOf(metadata.name), () => null);
  }

  #makeHost(name: string): void {
    this.#made += 1;
    // Some are waited for when they are deleted, as by Metal³.
    const finalizers = this.#dice.chance(0.5) ? ['baremetalhost.metal3.io'] : [];
    const metadata = {
      namespace: NAMESPACE,
      name,
      uid: `host-${this.#made}`,
      labels: this.#at(),
      finalizers,
    };
    const status = { operationalStatus: 'OK', provisioning: { state: 'available' } };
    const spec = { networkData: { name: 'n' } };
    this.#server.put(BARE_METAL_HOST, keyOf(name), (before) =>
      before === null ? ({ metadata, spec, status } as KubeObject) : before,
    );
  }

  #again(host: string): void {
    this.#server.put(BARE_METAL_HOST, keyOf(host), () => null);
    this.#makeHost(host);
  }

  #makeCluster(ref: SipRef): void {
    this.#made += 1;
    const metadata = { ...ref, uid: `cluster-${this.#made}`, generation: 1 };
    this.#server.put(SIP_CLUSTER, ref, (before) =>
      before === null ? ({ metadata, spec: { nodes: this.#roles(), services: {} } } as KubeObject) : before,
    );
  }

  #scale(ref: SipRef): void {
    this.#server.put<SipCluster>(SIP_CLUSTER, ref, (before) =>
      before === null ? null : { ...before, spec: { ...before.spec, nodes: this.#roles() } },
    );
  }

  #roles(): Record<string, NodeSet> {
    const { next } = this.#dice;
    return {
      ControlPlane: { count: { active: Math.floor(next() * 4) }, topologyKey: RACK },
      Worker: { count: { active: Math.floor(next() * 5), standby: Math.floor(next() * 3) } },
    };
  }

  #rack = (): string => `r${Math.floor(this.#dice.next() * RACKS)}`;
  #at = (): Labels => ({ [RACK]: this.#rack() });

  #status(host: string, operationalStatus: string): void {
    this.#change(host, (one) => ({ ...one, status: { ...one.status, operationalStatus } }));
  }

  #label(host: string, change: (labels: Labels) => Labels): void {
    this.#change(host, (one) => ({
      ...one,
      metadata: { ...one.metadata, labels: change({ ...one.metadata.labels }) },
    }));
  }

  #change(host: string, change: (host: BareMetalHost) => BareMetalHost): void {
    this.#server.put<BareMetalHost>(BARE_METAL_HOST, keyOf(host), (before) =>
      before === null ? null : change(before),
    );
  }
}

const keyOf = (name: string) => ({ namespace: NAMESPACE, name });

function ownedBy({ namespace, name }: SipRef, role: string): Labels {
  return { [CLUSTER_NAMESPACE]: namespace, [CLUSTER_NAME]: name, [NODE_TYPE]: role };
}

function without(labels: Labels, keys: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !keys.includes(key)));
}
