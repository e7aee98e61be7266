// From a host to a Capp and back, on a hub of its own: Metal³'s operator and the machine are stand-ins; the
// hub, OCM, the site and `cappstan join` are not.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { applySample, awaitCapp } from '../../../../deploy/local/cappstan/sample.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { siteAsked } from '../../builders/metal/sip-site.ts';
import type { HubCommand } from '../hub-command/hub-command.ts';
import { bundleComes } from './metal-bundle.ts';
import { MetalMachines, ROOM, TEMPLATE, type MachinesOptions } from './metal-machines.ts';

const REF = { namespace: ROOM, name: 'edge' };
const SITE = 'edge-7';
const LONG = { withinMs: 240_000 };
/** Killed in turn, beside the workers. */
const OTHERS = ['temporal', 'gateway', 'hub-api-server', 'etcd'] as const;

export interface MetalStoryOptions extends MachinesOptions {
  readonly hub: HubCommand;
  readonly site: Kube;
  readonly sample: string;
  readonly capp: { readonly namespace: string; readonly name: string };
}

export class MetalStory {
  readonly #with: MetalStoryOptions;
  readonly #machines: MetalMachines;
  /** Processes of the hub that were killed, by what it waited for. */
  readonly killedAt: string[] = [];
  /** Those of them that are killed in turn. */
  readonly killed = new Set<string>();

  constructor(options: MetalStoryOptions) {
    this.#with = options;
    this.#machines = new MetalMachines(options);
  }

  /** Metal³ works until this ends. */
  begins(): Promise<void> {
    return this.#machines.begins();
  }

  ends(): Promise<void> {
    return this.#machines.ends();
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
        site: siteAsked(SITE, { Worker: TEMPLATE }),
      },
    });
  }

  bundle(): Promise<void> {
    return bundleComes(this.#with, this.#with.capp.namespace);
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

  /** The workers each time, and each time another of the processes without which they can do nothing. */
  async #kills(): Promise<void> {
    const other = OTHERS[(this.killedAt.length - 1) % OTHERS.length] ?? '';
    this.killed.add(other);
    for (const name of ['hub-worker', 'bridge', other]) {
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
    const host = await this.#machines.host();
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
      ...secrets.map(({ metadata }) => metadata.name).filter((name) => name !== TEMPLATE),
      ...(drain === null ? [] : ['the Drain']),
    ];
  }

  async cleansUp(): Promise<void> {
    const { onHub } = this.#with;
    for (const name of [SITE, this.#with.capp.namespace])
      await onHub.remove(NAMESPACE, { namespace: null, name });
  }

  get secrets(): readonly string[] {
    return this.#machines.secrets;
  }
}
