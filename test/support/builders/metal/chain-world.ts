// A hub in memory with a SIPCluster that asks for a site, its hosts, and who plays Metal³, the machines, OCM
// and the workflows of joins and drains. It writes down what becomes of hosts and of the site, in order.
import { clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import { boundOf, endOfToken, tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { parseJoinLine } from '../../../../crds/join/join-line.ts';
import { CONFIG_MAP, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { JOIN_TOKEN } from '../../../../crds/labels.ts';
import { BARE_METAL_HOST, CLUSTER_NAME, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
  type ManagedCluster,
} from '../../../../crds/ocm/ocm.ts';
import { workName } from '../../../../crds/ocm/work-identity.ts';
import { CAPP_NAME, CAPP_NAMESPACE } from '../../../../crds/labels.ts';
import { detach } from '../../../../admission/rules/detach.ts';
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { turn } from '../../../../activities/hub/metal/turn.ts';
import { connectedBy, type Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Request } from '../../../../kube/http/transport.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { SipTurned } from '../../../../workflows/metal/port.ts';
import { ApiServer } from '../../simulator/api/api-server.ts';
import { MetalOperator, type Moods } from './metal-operator.ts';
import { AUTHORITY } from './authority.ts';

export const NAMESPACE = 'metal';
export const SITE = 'edge-7';
export const REF = { namespace: NAMESPACE, name: 'shop' };
const START = Date.parse('2026-03-01T12:00:00Z');
const LOOK = 30_000;
const OCM = 'cluster.open-cluster-management.io/api-resource-cleanup';

export interface WorldOptions {
  readonly hosts?: readonly string[];
  readonly moods?: Moods;
  /** Namespaces in which the hub worker may provision. */
  readonly provisions?: readonly string[];
  /** What becomes of a request of the hub worker; `send` carries it out. */
  readonly way?: (request: Request, send: () => unknown) => unknown;
}

export class ChainWorld {
  readonly server: ApiServer;
  readonly kube: Kube;
  readonly metal: MetalOperator;
  readonly happened: string[] = [];
  /** All tokens that were ever made. */
  readonly tokens = new Set<string>();
  /** Hosts whose machine runs the site. */
  readonly running = new Set<string>();
  now = START;
  /** The Temporal UI's line. */
  says = '';
  #stays = new Set<string>();
  readonly #provisions: ReadonlySet<string>;

  constructor({
    hosts = ['a', 'b'],
    moods = {},
    provisions = [NAMESPACE],
    way = (_request, send) => send(),
  }: WorldOptions = {}) {
    this.#provisions = new Set(provisions);
    this.server = new ApiServer(() => this.now);
    this.server.namespaces.add(NAMESPACE).add('kube-system').add('kube-public');
    const send = (request: Request): unknown => this.server.answer(request, 'hub');
    this.kube = kubeOf(async (request) =>
      way(request, () => {
        this.#guards(request);
        return send(request);
      }),
    );
    const everybody = kubeOf(async (request) => this.server.answer(request, 'others'));
    this.metal = new MetalOperator(
      everybody,
      {
        boots: (host, userData) => this.#boots(host, userData),
        wiped: (host) => {
          this.running.delete(host);
          this.happened.push(`${host} is wiped`);
        },
      },
      moods,
    );
    this.#add(CONFIG_MAP, { ...clusterInfoMap({ server: 'https://hub.example:6443', ca: AUTHORITY }) });
    for (const role of ['ControlPlane', 'Worker'])
      this.#add(SECRET, {
        metadata: { namespace: NAMESPACE, name: `template-${role.toLowerCase()}` },
        data: {
          userData: Buffer.from('cluster ${CLUSTER_NAME} join [${JOIN_LINE}] $HOME').toString('base64'),
        },
      } as KubeObject);
    for (const name of hosts) this.host(name);
    this.#listen();
  }

  #add(resource: Resource, object: KubeObject): void {
    const { namespace = null, name } = object.metadata;
    this.server.put(resource, { namespace, name }, () => object);
  }

  host(name: string, more: Partial<BareMetalHost['spec']> = {}): void {
    this.#add(BARE_METAL_HOST, {
      metadata: { namespace: NAMESPACE, name },
      spec: { online: false, networkData: { name: 'net' }, ...more },
      status: { operationalStatus: 'OK', provisioning: { state: 'available' } },
    } as KubeObject);
  }

  /** One control plane, and so many workers. It has no finalizer yet. */
  asks(workers: number, site: Partial<SipSite> = {}, uid = 'shop-uid'): void {
    this.#add(SIP_CLUSTER, {
      metadata: { ...REF, uid },
      spec: {
        nodes: { ControlPlane: { count: { active: 1 } }, Worker: { count: { active: workers } } },
        services: {},
        site: {
          name: SITE,
          lifecycle: 'Provision',
          labels: { tier: 'edge' },
          image: { url: 'https://images.example/os.qcow2' },
          userData: {
            ControlPlane: { secret: 'template-controlplane' },
            Worker: { secret: 'template-worker' },
          },
          ...site,
        },
      },
    } as KubeObject);
  }

  change(edit: (cluster: SipCluster) => SipCluster): void {
    this.server.put<SipCluster>(SIP_CLUSTER, REF, (before) => (before === null ? null : edit(before)));
  }

  annotate(key: string, value: string): void {
    this.change((one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, [key]: value } },
    }));
  }

  edit(site: Partial<SipSite>): void {
    this.change(({ spec, ...one }) => ({
      ...one,
      spec: spec.site === undefined ? spec : { ...spec, site: { ...spec.site, ...site } },
    }));
  }

  wants(workers: number): void {
    this.change((one) => ({
      ...one,
      spec: { ...one.spec, nodes: { ...one.spec.nodes, Worker: { count: { active: workers } } } },
    }));
  }

  /** Somebody takes its finalizer off, deletes it, and writes it once more. */
  makeAgain(workers: number, uid: string): void {
    this.server.put(SIP_CLUSTER, REF, () => null);
    this.asks(workers, {}, uid);
  }

  /** Somebody edits a host. */
  editHost(name: string, edit: (host: BareMetalHost) => BareMetalHost): void {
    const key = { namespace: NAMESPACE, name };
    this.server.put<BareMetalHost>(BARE_METAL_HOST, key, (before) => (before === null ? null : edit(before)));
  }

  /** Somebody edits the ManagedCluster. */
  editManaged(edit: (managed: ManagedCluster) => ManagedCluster): void {
    const key = { namespace: null, name: SITE };
    this.server.put<ManagedCluster>(MANAGED_CLUSTER, key, (before) =>
      before === null ? null : edit(before),
    );
  }

  /** Somebody deletes the ManagedCluster. */
  loses(): void {
    this.server.remove(MANAGED_CLUSTER, { namespace: null, name: SITE });
  }

  delete(): void {
    this.server.remove(SIP_CLUSTER, REF);
  }

  /** A Capp that serves from the site; with `stays`, no drain moves it. */
  runs(capp: string, stays = false): void {
    const name = workName('team-a', capp);
    const annotations = { [CAPP_NAMESPACE]: 'team-a', [CAPP_NAME]: capp };
    this.#add(MANIFEST_WORK, { metadata: { namespace: SITE, name, annotations } });
    if (stays) this.#stays.add(name);
  }

  leaves(capp: string): void {
    this.server.put(MANIFEST_WORK, { namespace: SITE, name: workName('team-a', capp) }, () => null);
  }

  /**
   * A look of the workflow, and a turn of the authority if it asks for one. Throws what the worker throws.
   */
  async look(): Promise<SipTurned> {
    const now = (): number => this.now;
    const namespaces = { serves: new Set<string>(), provisions: this.#provisions };
    const turned = await turn(this.kube, REF, now, namespaces);
    if (turned.outcome === 'Turned') {
      this.says = turned.says;
      if (turned.needsHosts) await reserveFor(this.kube, REF, now, this.#provisions);
    }
    return turned;
  }

  /** Half a minute in which everybody else does something. */
  async pass(): Promise<void> {
    this.now += LOOK;
    await this.metal.pass();
    this.#drains();
    this.#ocm();
    this.#collects();
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

  cluster(): SipCluster | null {
    return this.server.read(SIP_CLUSTER, REF) as SipCluster | null;
  }

  condition(type: string): string {
    const found = this.cluster()?.status?.conditions?.find((one) => one.type === type);
    return `${found?.status} ${found?.reason}`;
  }

  message(type: string): string {
    return this.cluster()?.status?.conditions?.find((one) => one.type === type)?.message ?? '';
  }

  hosts(): readonly BareMetalHost[] {
    return this.server.all(BARE_METAL_HOST);
  }

  managed(): ManagedCluster | null {
    return this.server.read(MANAGED_CLUSTER, { namespace: null, name: SITE }) as ManagedCluster | null;
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

  /** The machine comes to the hub by the line in its user data, and the workflow of joins lets it in. */
  #boots(host: string, userData: string): void {
    this.running.add(host);
    const line = parseJoinLine(/join \[(?<line>[^\]]*)\]/.exec(userData)?.groups?.['line'] ?? '');
    this.happened.push(`${host} runs${line === null ? '' : ', and joins'}`);
    if (line === null) return;
    const isGood = this.#isGood(line.token.id);
    if (!isGood) {
      this.happened.push(`${host} is turned away`);
      return;
    }
    this.server.put(SECRET, tokenKey(line.token.id), () => null);
    const since = new Date(this.now).toISOString();
    const holds = (...types: string[]) =>
      types.map((type) => ({ type, status: 'True', reason: 'Test', message: '', lastTransitionTime: since }));
    this.server.put<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: SITE }, (before) =>
      before === null
        ? null
        : {
            ...before,
            metadata: { ...before.metadata, finalizers: [OCM] },
            spec: { ...before.spec, hubAcceptsClient: true },
            status: {
              conditions: holds(
                'HubAcceptedManagedCluster',
                'ManagedClusterJoined',
                'ManagedClusterConditionAvailable',
              ) as never,
            },
          },
    );
    this.server.put(MANAGED_CLUSTER_ADD_ON, { namespace: SITE, name: 'cappstan' }, () => ({
      metadata: { namespace: SITE, name: 'cappstan' },
      status: { conditions: holds('ManifestApplied', 'Available') },
    }));
    this.happened.push(`${SITE} has joined`);
  }

  /** As `approveJoin` looks at it. */
  #isGood(id: string): boolean {
    const { metadata } = this.managed() ?? { metadata: { name: '' } };
    const token = this.server.read(SECRET, tokenKey(id)) as Secret | null;
    return (
      token !== null &&
      boundOf(token)?.uid === metadata.uid &&
      metadata.deletionTimestamp === undefined &&
      metadata.annotations?.[JOIN_TOKEN] === id &&
      (endOfToken(token) ?? 0) > this.now
    );
  }

  /** A Capp in a pass, but for those that stay. */
  #drains(): void {
    const drain = this.server.read(DRAIN, { namespace: null, name: SITE }) as Drain | null;
    if (drain === null || drain.spec.dryRun || drain.spec.paused) return;
    const works = this.server.all(MANIFEST_WORK).map(({ metadata }) => metadata.name);
    const next = works.find((name) => !this.#stays.has(name));
    if (next !== undefined) {
      this.server.put(MANIFEST_WORK, { namespace: SITE, name: next }, () => null);
      return;
    }
    const complete = {
      type: 'Complete',
      status: 'True' as const,
      reason: works.length === 0 ? 'SiteEmpty' : 'CappsStay',
      message: '',
      lastTransitionTime: new Date(this.now).toISOString(),
    };
    this.server.put<Drain>(DRAIN, { namespace: null, name: SITE }, (before) =>
      before === null || before.status !== undefined
        ? before
        : {
            ...before,
            status: {
              observedGeneration: before.metadata.generation ?? 1,
              stayed: works.length,
              conditions: [complete],
            },
          },
    );
  }

  /** Works go with their cluster, one in a pass. */
  #ocm(): void {
    const managed = this.managed();
    if (managed?.metadata.deletionTimestamp === undefined) return;
    const [work] = this.server.all(MANIFEST_WORK);
    if (work !== undefined) this.leavesBy(work.metadata.name);
    else this.server.put(MANAGED_CLUSTER, { namespace: null, name: SITE }, () => null);
  }

  /** The webhook: a ManagedCluster with works of Capps goes only if a person lets it. */
  #guards({ method, path }: Request): void {
    const [, name] = /\/managedclusters\/([^/?]+)/.exec(path) ?? [];
    if (method !== 'DELETE' || name === undefined) return;
    const capps = this.server.all(MANIFEST_WORK).map(({ metadata }) => metadata.name);
    const known = { servedBy: () => capps } as unknown as Parameters<typeof detach>[1];
    const { problems = [] } = detach(
      { operation: 'DELETE', name, oldObject: this.managed() } as never,
      known,
    );
    if (problems.length > 0) throw new ApiError({ method, path, code: 403, reason: 'Forbidden' });
  }

  /** Kubernetes: what a ManagedCluster owned goes with it. */
  #collects(): void {
    const owner = this.managed()?.metadata.uid;
    for (const { metadata } of this.server.all(SECRET)) {
      const uids = (metadata.ownerReferences ?? []).filter(({ kind }) => kind === MANAGED_CLUSTER.kind);
      if (uids.some(({ uid }) => uid !== owner))
        this.server.put(SECRET, { namespace: metadata.namespace ?? null, name: metadata.name }, () => null);
    }
  }

  leavesBy(name: string): void {
    this.server.put(MANIFEST_WORK, { namespace: SITE, name }, () => null);
  }

  #listen(): void {
    this.server.onWrite(({ plural, before, after }) => {
      const { name = '' } = (after ?? before)?.metadata ?? {};
      if (plural === 'secrets' && before === null && name.startsWith('bootstrap-token-'))
        this.#isMade(after as unknown as Secret);
      if (plural === 'managedclusters' && (before === null || after === null))
        this.happened.push(`${name} is ${after === null ? 'detached' : 'expected'}`);
      if (plural === 'drains' && before === null) this.happened.push(`${name} is drained`);
    });
    this.server.onWrite(({ before, after }) => {
      if (isHeld(before) && !isHeld(after))
        this.happened.push(`${NAMESPACE}/${before?.metadata.name ?? ''} is free`);
    }, 'baremetalhosts');
  }

  #isMade({ data }: Secret): void {
    this.tokens.add(Buffer.from(data?.['token-secret'] ?? '', 'base64').toString());
    this.happened.push('a token is made');
  }
}

function isHeld(host: KubeObject | null): boolean {
  return host?.metadata.labels?.[CLUSTER_NAME] !== undefined;
}

function kubeOf(send: (request: Request) => Promise<unknown>): Kube {
  return connectedBy({
    deadlineMs: 10_000,
    send,
    open: () => Promise.reject(new Error('nothing is streamed here')),
    close: () => Promise.resolve(),
  });
}
