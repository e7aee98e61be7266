// From a host to a Capp and back, on a hub of its own: Metal³'s operator and the machine are stand-ins; the
// hub, OCM, the site and `cappstan join` are not.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { parseJoinLine } from '../../../crds/join/join-line.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { DRAIN } from '../../../crds/drain/drain.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { applySample, awaitCapp } from '../../../deploy/local/cappstan/sample.ts';
import { applyObjects, ourManifests } from '../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { MANAGED_CLUSTER_SET_BINDING, PLACEMENT } from '../../../crds/ocm/placements.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { MetalOperator } from '../builders/metal/metal-operator.ts';
import type { HubCommand } from './hub-command.ts';

const ROOM = 'metal';
const REF = { namespace: ROOM, name: 'edge' };
const SITE = 'edge-7';
const HOST = { namespace: ROOM, name: 'rdm9r008o002' };
const LONG = { withinMs: 240_000 };
/** Of the user's template, so that one sees that nobody tells it. */
const CANARY = 'canaryofthetemplate';

export interface MetalStoryOptions {
  readonly hub: HubCommand;
  readonly onHub: Kube;
  readonly site: Kube;
  readonly sample: string;
  readonly capp: { readonly namespace: string; readonly name: string };
  /** The machine runs this line of its user data. */
  readonly joins: (line: string) => Promise<unknown>;
  /** The machine is switched off and wiped. */
  readonly wiped: () => Promise<unknown>;
}

export class MetalStory {
  readonly #with: MetalStoryOptions;
  readonly #operator: MetalOperator;
  readonly #under: Promise<unknown>[] = [];
  #stop: () => Promise<void> = () => Promise.resolve();
  /** Processes of the hub that were killed, by what it waited for. */
  readonly killedAt: string[] = [];
  token = '';

  constructor(options: MetalStoryOptions) {
    this.#with = options;
    const machines = {
      boots: (_host: string, userData: string): void => {
        const [, line = ''] = /^\s*- cappstan join (\S+)$/m.exec(userData) ?? [];
        this.token = parseJoinLine(line)?.token.secret ?? '';
        this.#under.push(options.joins(line));
      },
      wiped: (): void => void this.#under.push(options.wiped()),
    };
    // Each step fails once, and takes its time.
    const moods = {
      slow: 2,
      mood: (_host: string, _state: string, nth: number) => (nth === 1 ? 'fails' : null),
    } as const;
    this.#operator = new MetalOperator(options.onHub, machines, moods);
  }

  /** Metal³ works until this ends. */
  async begins(): Promise<void> {
    const { onHub } = this.#with;
    await applyObjects(onHub, await ourManifests('baremetalhost'));
    await eventually(() => onHub.list(BARE_METAL_HOST), LONG);
    const over = new AbortController();
    const working = (async () => {
      while (!over.signal.aborted) {
        await this.#operator.pass().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    })();
    this.#stop = async () => {
      over.abort();
      await working;
      await Promise.all(this.#under);
    };
    await this.#makesHost();
  }

  ends(): Promise<void> {
    return this.#stop();
  }

  async #makesHost(): Promise<void> {
    const { onHub } = this.#with;
    await onHub.create<BareMetalHost>(BARE_METAL_HOST, {
      metadata: { ...HOST, labels: { 'vino.airshipit.org/flavor': 'worker' } },
      spec: { online: false, networkData: { name: 'network' } },
    });
    const template = `#cloud-config\n# ${CANARY}\nruncmd:\n  - cappstan join \${JOIN_LINE}\n`;
    await onHub.create<Secret>(SECRET, {
      metadata: { namespace: ROOM, name: 'template' },
      data: { userData: Buffer.from(template).toString('base64') },
    });
    const ready = (): Promise<true> =>
      eventually(
        async () => ((await this.#host()).status?.provisioning?.state === 'available' ? true : undefined),
        LONG,
      );
    await ready();
  }

  async #host(): Promise<BareMetalHost> {
    const host = await this.#with.onHub.get<BareMetalHost>(BARE_METAL_HOST, HOST);
    if (host === null) throw new Error('the host is gone');
    return host;
  }

  /** The Capp waits on the hub for a site; a Bundle waits for one with this label. */
  async asks(): Promise<void> {
    const { onHub, sample } = this.#with;
    await applySample(onHub, sample);
    await onHub.create<SipCluster>(SIP_CLUSTER, {
      metadata: REF,
      spec: {
        nodes: {
          Worker: {
            labelSelector: { matchLabels: { 'vino.airshipit.org/flavor': 'worker' } },
            count: { active: 1 },
          },
        },
        services: {},
        site: {
          name: SITE,
          lifecycle: 'Provision',
          labels: { tier: 'edge' },
          image: { url: 'https://images.example/os.qcow2' },
          userData: { Worker: { secret: 'template' } },
        },
      },
    });
  }

  /** The site's label has a Placement choose it, and the Placement brings the Bundle. */
  async bundle(): Promise<void> {
    const { onHub, site } = this.#with;
    const { namespace } = this.#with.capp;
    await onHub.create<KubeObject>(MANAGED_CLUSTER_SET_BINDING, {
      metadata: { namespace, name: 'default' },
      spec: { clusterSet: 'default' },
    } as KubeObject);
    const edge = { labelSelector: { matchLabels: { tier: 'edge' } } };
    await onHub.create<KubeObject>(PLACEMENT, {
      metadata: { namespace, name: 'edge' },
      spec: { predicates: [{ requiredClusterSelector: edge }] },
    } as KubeObject);
    await onHub.create<Bundle>(BUNDLE, {
      metadata: { namespace, name: 'base' },
      spec: {
        placement: 'edge',
        manifests: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { namespace, name: 'base' },
            data: { by: 'bundle' },
          },
        ],
      },
    } as unknown as Bundle);
    // Which an admin of the site has given to the Bundles of that namespace.
    await applyObjects(site, [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { namespace, name: 'bundles' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [
          {
            kind: 'ServiceAccount',
            namespace: 'open-cluster-management-agent-addon',
            name: `cappstan-bundles-${namespace}`,
          },
        ],
      } as KubeObject,
    ]);
    await eventually(
      async () => ((await site.get(CONFIG_MAP, { namespace, name: 'base' })) === null ? undefined : true),
      LONG,
    );
  }

  #said(cluster: SipCluster | null, type: string): string {
    const found = cluster?.status?.conditions?.find((one) => one.type === type);
    return `${found?.status} ${found?.reason}`;
  }

  cluster(): Promise<SipCluster | null> {
    return this.#with.onHub.get<SipCluster>(SIP_CLUSTER, REF);
  }

  /** Whenever it waits for something else, the hub's workers are killed once. */
  async comesTo(
    holds: (cluster: SipCluster | null, says: (type: string) => string) => boolean,
  ): Promise<void> {
    await eventually(async () => {
      const cluster = await this.cluster();
      const says = (type: string): string => this.#said(cluster, type);
      const waits = ['Provisioned', 'Joined'].map(says).join(', ');
      if (holds(cluster, says)) return true;
      if (cluster !== null && !this.killedAt.includes(waits)) {
        this.killedAt.push(waits);
        await this.#kills();
      }
      throw new Error(
        `${waits}: ${JSON.stringify(cluster?.status?.conditions?.map(({ message }) => message))}`,
      );
    }, LONG);
  }

  async #kills(): Promise<void> {
    for (const name of ['hub-worker', 'bridge']) {
      const pid = await this.#with.hub.pidOf(name).catch(() => null);
      if (pid !== null) process.kill(pid, 'SIGKILL');
    }
  }

  async isSite(): Promise<ManagedCluster | null> {
    return this.#with.onHub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: SITE });
  }

  async cappRuns(): Promise<string> {
    return awaitCapp(this.#with.onHub, this.#with.capp, { timeoutMs: LONG.withinMs, note: () => undefined });
  }

  async begunToGo(): Promise<void> {
    await this.#with.onHub.remove(SIP_CLUSTER, REF);
  }

  /** The last copy of the Capp is there, and no other site. */
  async cappGoes(): Promise<void> {
    const { onHub, capp } = this.#with;
    await onHub.remove(BUNDLE, { namespace: capp.namespace, name: 'base' });
    await onHub.remove(CAPP, capp);
    await eventually(async () => ((await onHub.get<Capp>(CAPP, capp)) === null ? true : undefined), LONG);
  }

  async left(): Promise<readonly string[]> {
    const { onHub } = this.#with;
    const host = await this.#host();
    const secrets = (await onHub.list(SECRET, { namespace: ROOM, metadataOnly: true })).items;
    const drain = await onHub.get(DRAIN, { namespace: null, name: SITE });
    return [
      ...Object.keys({ ...host.metadata.labels, ...host.metadata.annotations }).filter((key) =>
        /sip|dana/.test(key),
      ),
      ...(host.spec?.image == null ? [] : ['an image']),
      ...(host.spec?.consumerRef == null ? [] : ['a consumer']),
      ...(host.spec?.online === true ? ['it is on'] : []),
      ...(host.status?.provisioning?.state === 'available' ? [] : ['it is not available']),
      ...secrets.map(({ metadata }) => metadata.name).filter((name) => name !== 'template'),
      ...(drain === null ? [] : ['the Drain']),
    ];
  }

  async cleansUp(): Promise<void> {
    const { onHub } = this.#with;
    for (const name of [SITE, this.#with.capp.namespace])
      await onHub.remove(NAMESPACE, { namespace: null, name });
  }

  get secrets(): readonly string[] {
    return [this.token, CANARY];
  }
}
