// The hub of a chain in memory: what it has, and who plays the machines, OCM, the workflows of joins and
// drains, and Kubernetes. It writes down what becomes of hosts and of the site, in order.
import { detach } from '../../../../admission/rules/detach.ts';
import { boundOf, endOfToken, tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { parseJoinLine } from '../../../../crds/join/join-line.ts';
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { JOIN_TOKEN } from '../../../../crds/join/labels.ts';
import { BARE_METAL_HOST, CLUSTER_NAME, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
  type ManagedCluster,
} from '../../../../crds/ocm/ocm.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { ApiServer } from '../../simulator/api/api-server.ts';

/** The id of this hub. */
export const HUB = 'this-hub';
export const NAMESPACE = 'metal';
export const SITE = 'edge-7';
export const REF = { namespace: NAMESPACE, name: 'shop' };
const START = Date.parse('2026-03-01T12:00:00Z');
const OCM = 'cluster.open-cluster-management.io/api-resource-cleanup';

export class ChainHub {
  readonly server: ApiServer;
  readonly happened: string[] = [];
  /** All tokens that were ever made. */
  readonly tokens = new Set<string>();
  /** Hosts whose machine runs the site. */
  readonly running = new Set<string>();
  /** Works that no drain moves. */
  readonly stays = new Set<string>();
  now = START;

  constructor() {
    this.server = new ApiServer(() => this.now);
    this.server.namespaces.add(NAMESPACE).add('kube-system').add('kube-public');
    this.#listen();
  }

  add(resource: Resource, object: KubeObject): void {
    const { namespace = null, name } = object.metadata;
    this.server.put(resource, { namespace, name }, () => object);
  }

  cluster(): SipCluster | null {
    return this.server.read(SIP_CLUSTER, REF) as SipCluster | null;
  }

  hosts(): readonly BareMetalHost[] {
    return this.server.all(BARE_METAL_HOST);
  }

  managed(): ManagedCluster | null {
    return this.server.read(MANAGED_CLUSTER, { namespace: null, name: SITE }) as ManagedCluster | null;
  }

  /** OCM, drains and Kubernetes go on. */
  protected goesOn(): void {
    this.#drains();
    this.#ocm();
    this.#collects();
  }

  /** The machine comes to the hub by the line in its user data, and the workflow of joins lets it in. */
  protected boots(host: string, userData: string): void {
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
    const next = works.find((name) => !this.stays.has(name));
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
    if (work !== undefined) this.#leaves(work.metadata.name);
    else this.server.put(MANAGED_CLUSTER, { namespace: null, name: SITE }, () => null);
  }

  /** The webhook: a ManagedCluster with works of Capps goes only if a person lets it. */
  protected guards({ method, path }: KubeRequest): void {
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

  #leaves(name: string): void {
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
