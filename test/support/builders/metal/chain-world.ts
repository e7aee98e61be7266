// A hub in memory with a SIPCluster that asks for a site, its hosts, the stand-in for Metal³, and the hub
// worker that is tried there.
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { turn } from '../../../../activities/hub/metal/turn.ts';
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import { CONFIG_MAP, SECRET } from '../../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER } from '../../../../crds/metal/sip-cluster.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { connectedBy, type Kube } from '../../../../kube/client.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { SipTurned } from '../../../../workflows/metal/port.ts';
import { AUTHORITY } from './authority.ts';
import { HUB, NAMESPACE, REF } from './chain-hub.ts';
import { ChainPeople } from './chain-people.ts';
import { MetalOperator, type Moods } from './metal-operator.ts';

const LOOK = 30_000;

export interface WorldOptions {
  readonly hosts?: readonly string[];
  readonly moods?: Moods;
  /** Namespaces in which the hub worker may provision. */
  readonly provisions?: readonly string[];
  /** What becomes of a request of the hub worker; `send` carries it out. */
  readonly way?: (request: KubeRequest, send: () => unknown) => unknown;
}

export class ChainWorld extends ChainPeople {
  readonly kube: Kube;
  readonly metal: MetalOperator;
  /** The Temporal UI's line. */
  says = '';
  readonly #provisions: ReadonlySet<string>;

  constructor({
    hosts = ['a', 'b'],
    moods = {},
    provisions = [NAMESPACE],
    way = (_request, send) => send(),
  }: WorldOptions = {}) {
    super();
    this.#provisions = new Set(provisions);
    this.kube = kubeOf(async (request) =>
      way(request, () => {
        this.guards(request);
        return this.server.answer(request, 'hub');
      }),
    );
    const everybody = kubeOf(async (request) => this.server.answer(request, 'others'));
    this.metal = new MetalOperator(
      everybody,
      {
        boots: (host, userData) => this.boots(host, userData),
        wiped: (host) => {
          this.running.delete(host);
          this.happened.push(`${host} is wiped`);
        },
      },
      moods,
    );
    this.add(CONFIG_MAP, { ...clusterInfoMap({ server: 'https://hub.example:6443', ca: AUTHORITY }) });
    for (const role of ['ControlPlane', 'Worker'])
      this.add(SECRET, {
        metadata: { namespace: NAMESPACE, name: `template-${role.toLowerCase()}` },
        data: {
          userData: Buffer.from('cluster ${CLUSTER_NAME} join [${JOIN_LINE}] $HOME').toString('base64'),
        },
      } as KubeObject);
    for (const name of hosts) this.host(name);
  }

  /** With a site that has joined, of one control plane and so many workers. What happened is forgotten. */
  static async joined(workers: number, options: WorldOptions = {}): Promise<ChainWorld> {
    const world = new ChainWorld(options);
    world.asks(workers);
    await world.ready();
    world.happened.length = 0;
    return world;
  }

  /**
   * A look of the workflow, and a turn of the authority if it asks for one. Throws what the worker throws.
   */
  async look(): Promise<SipTurned> {
    const now = (): number => this.now;
    const namespaces = { serves: new Set<string>(), provisions: this.#provisions, hub: HUB };
    const turned = await turn(this.kube, REF, now, namespaces);
    if (turned.outcome === 'Turned') {
      this.says = turned.says;
      if (turned.needsHosts) await reserveFor(this.kube, REF, now, namespaces);
    }
    return turned;
  }

  /** Half a minute in which everybody else does something. */
  async pass(): Promise<void> {
    this.now += LOOK;
    await this.metal.pass();
    this.goesOn();
  }

  /** Looks and passes until it is so. `look` that throws is tried again. */
  async until(holds: () => boolean, most = 60): Promise<void> {
    for (let passes = 0; passes < most; passes += 1) {
      await this.look().catch(() => null);
      if (holds()) return;
      await this.pass();
    }
    throw new Error(`it did not come so: ${this.happened.join('; ')}. ${this.says}`);
  }

  /** So many looks, each with half a minute behind it. */
  async live(passes = 10): Promise<void> {
    for (let pass = 0; pass < passes; pass += 1) {
      await this.look();
      await this.pass();
    }
  }

  /** Until all is as it is asked for. */
  async ready(most = 60): Promise<void> {
    await this.until(() => this.condition('Ready') === 'True ReconciliationSucceeded', most);
  }

  /** Until a deletion is done. */
  async gone(): Promise<void> {
    await this.until(() => this.cluster() === null);
  }

  condition(type: string): string {
    const found = this.cluster()?.status?.conditions?.find((one) => one.type === type);
    return `${found?.status} ${found?.reason}`;
  }

  message(type: string): string {
    return this.cluster()?.status?.conditions?.find((one) => one.type === type)?.message ?? '';
  }

  /** All objects that name a cluster, a token, user data or a mark of ours: what must not be left. */
  left(): string[] {
    const secrets = this.server.all(SECRET).map(({ metadata }) => `Secret ${metadata.name}`);
    const marks = this.hosts().flatMap(({ metadata, spec }) => [
      ...Object.keys({ ...metadata.labels, ...metadata.annotations }).map((key) => `${metadata.name} ${key}`),
      ...(spec?.image == null ? [] : [`${metadata.name} has an image`]),
      ...(spec?.consumerRef == null ? [] : [`${metadata.name} has a consumer`]),
      ...(spec?.online === true ? [`${metadata.name} is on`] : []),
    ]);
    const others = [MANAGED_CLUSTER, DRAIN, SIP_CLUSTER].flatMap((resource) =>
      this.server.all(resource).map(({ metadata }) => `${resource.kind} ${metadata.name}`),
    );
    return [...secrets.filter((name) => !name.includes('template-')), ...marks, ...others];
  }
}

function kubeOf(send: (request: KubeRequest) => Promise<unknown>): Kube {
  return connectedBy({
    deadlineMs: 10_000,
    send,
    open: () => Promise.reject(new Error('nothing is streamed here')),
    close: () => Promise.resolve(),
  });
}
