// Starts a hub: the order in which its parts are prepared and started. Every step is safe to repeat, so a
// start goes on where an earlier one ended.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterInfoMap } from '../../crds/join/cluster-info.ts';
import { NAMESPACE } from '../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { cappstanProcesses, installCappstan, type CappstanOptions } from '../local/cappstan/addon.ts';
import { applyObjects } from '../local/kubernetes/apply.ts';
import { applyDefinitions, isDefinition, readManifests } from '../local/kubernetes/manifests.ts';
import { ocmHub, prepareOcmHub, registerOcmWebhooks } from '../local/ocm/hub.ts';
import { HUB_MODULES } from '../local/programs/modules.ts';
import { buildTools } from '../local/programs/build.ts';
import { addProcesses, awaitReady, ensureSupervisor, keepOnly } from '../local/supervise/desired.ts';
import { isHeld, supervisorLock } from '../local/supervise/lock.ts';
import type { ProcessSpec } from '../local/supervise/process-spec.ts';
import type { Progress } from '../local/terminal.ts';
import { stopStack } from '../local/down.ts';
import type { HubConfig } from './config/config.ts';
import { chartValues, namespacesOf } from './chart-values.ts';
import { gatewayOf, remedyFor, urlOf } from './doors.ts';
import {
  layFoundation,
  portsFileOf,
  rememberStored,
  type CheckedFoundation,
  type HubFoundation,
} from './foundation.ts';
import { publish } from './publish.ts';
import { lookAtStore } from './store/claim.ts';
import { hubServers, kubeconfigOf, type HubServers } from './servers.ts';
import { atLoopback, BEHIND_SHUT_DOORS } from './shut.ts';
import type { HubTemporal } from './temporal/embedded.ts';
import { hubTemporal } from './temporal/hub-temporal.ts';
import { rememberWorked } from './temporal/worked.ts';

const OUR_CRDS = join(import.meta.dirname, '..', '..', 'crds', 'yaml');

export interface RunningHub {
  readonly foundation: HubFoundation;
  readonly temporal: HubTemporal;
  readonly specs: readonly ProcessSpec[];
  /** Host and port for others. */
  readonly url: string;
  readonly gateway: string;
  /** Starts the supervisor again if it has ended; it takes over what still runs. */
  keep(): Promise<void>;
  /** Writes certificates and tokens again that are due. Nothing restarts. */
  renew(): Promise<void>;
  /** Remembers how far an external etcd is, and that the doors are to be shut when it went back. */
  lookAtStore(): Promise<void>;
  /** Looks where the kubeconfig was asked for, and puts it there when it is not. */
  publish(): Promise<void>;
}

/**
 * Starts the hub under a supervisor that stops all of it when this process is gone. Throws an Error that says
 * what failed; what runs by then goes on until then.
 */
export async function startHub(
  config: HubConfig,
  checked: CheckedFoundation,
  progress: Progress,
): Promise<RunningHub> {
  await buildTools(progress, HUB_MODULES);
  const { layout } = checked;
  // That of a command that was killed is stopping everything.
  if (await isHeld(supervisorLock(layout.dir))) await stopStack(layout.dir);
  const foundation = await layFoundation(config, checked);
  await mkdir(layout.data, { recursive: true, mode: 0o700 });
  await mkdir(layout.logs, { recursive: true, mode: 0o700 });
  await ensureSupervisor(layout, process.pid);
  const isShut = checked.shut !== null;
  const start = new HubStart({
    config: isShut ? atLoopback(config) : config,
    foundation,
    isShut,
    progress,
    isOld: (checked.made?.authority ?? null) !== null,
  });
  return start.run();
}

interface Ground {
  readonly config: HubConfig;
  readonly foundation: HubFoundation;
  readonly progress: Progress;
  readonly isOld: boolean;
  /** Nobody comes in, and nothing acts. */
  readonly isShut: boolean;
}

class HubStart {
  readonly #ground: Ground;
  readonly #specs: ProcessSpec[] = [];

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  async run(): Promise<RunningHub> {
    const { config, foundation, progress, isOld } = this.#ground;
    const servers = await hubServers(config, foundation, isOld);
    const temporal = await progress.step(startingWhat(config), () => this.#servers(servers));
    const kube = connect({
      kubeconfig: servers.cluster.kubeconfig,
      userAgent: 'cappstan-hub',
      deadlineMs: 30_000,
    });
    try {
      await progress.step('Applying CRDs', () => this.#kinds(kube, servers));
      await progress.step('Starting Open Cluster Management', () => this.#ocm(kube, servers));
      const ours = this.#ours(servers, temporal);
      await progress.step('Starting Cappstan', async () => this.#start(await installCappstan(ours)));
      await keepOnly(
        foundation.layout,
        this.#specs.map(({ name }) => name),
      );
      return this.#running(servers, temporal, ours);
    } finally {
      await kube.close();
    }
  }

  async #servers({ store, cluster }: HubServers): Promise<HubTemporal> {
    const { config, foundation } = this.#ground;
    const temporal = await hubTemporal(config, foundation);
    await this.#start([...store, cluster.apiServer, ...temporal.specs]);
    rememberStored(config, foundation);
    return temporal;
  }

  async #kinds(kube: Kube, { cluster }: HubServers): Promise<void> {
    const controllers = this.#start([cluster.controllerManager]);
    await applyDefinitions(kube, (await readManifests(OUR_CRDS)).filter(isDefinition));
    await prepareOcmHub(kube);
    const { config, foundation } = this.#ground;
    const ca = await readFile(foundation.pki.authority.cert, 'utf8');
    // Roles are made there.
    const { apiVersion, kind } = NAMESPACE;
    const namespaces = namespacesOf(config).map((name) => ({
      apiVersion,
      kind,
      metadata: { name },
    }));
    await applyObjects(kube, [clusterInfoMap({ server: urlOf(config), ca }), ...namespaces]);
    await controllers;
  }

  /** OCM accepts nobody: our own workflow accepts who has a token for a cluster, and a person all others. */
  async #ocm(kube: Kube, { cluster }: HubServers): Promise<void> {
    const { pki, ports } = this.#ground.foundation;
    const options = { kubeconfig: cluster.kubeconfig, pki, ports };
    await this.#start(await ocmHub(options));
    await registerOcmWebhooks(kube, options);
  }

  #ours({ cluster }: HubServers, { address, ui, values, env }: HubTemporal): CappstanOptions {
    const { config, foundation } = this.#ground;
    return {
      foundation,
      hub: cluster,
      sites: [],
      temporalAddress: address,
      temporalUi: ui,
      env,
      gateway: { address: gatewayOf(config), bind: config.bindAddress },
      argo: config.argo,
      reader: config.reader,
      values: { ...values, ...chartValues(config) },
    };
  }

  async #start(all: readonly ProcessSpec[]): Promise<void> {
    const { config, foundation, isShut } = this.#ground;
    const { layout } = foundation;
    const specs = isShut ? all.filter(({ name }) => BEHIND_SHUT_DOORS.has(name)) : all;
    this.#specs.push(...specs);
    await addProcesses(layout, specs, remedyFor(config, portsFileOf(layout)));
    // Before they are ready: by then they have begun workflows.
    rememberWorked(config, specs);
    await awaitReady(layout, specs);
  }

  #running({ cluster }: HubServers, temporal: HubTemporal, ours: CappstanOptions): RunningHub {
    const { config, foundation, isShut } = this.#ground;
    const { layout, pki, ports } = foundation;
    const specs = this.#specs;
    return {
      foundation,
      temporal,
      specs,
      url: urlOf(config),
      gateway: ours.gateway?.address ?? '',
      keep: async () => {
        if (await isHeld(supervisorLock(layout.dir))) return;
        await ensureSupervisor(layout, process.pid);
        await addProcesses(layout, specs, remedyFor(config, portsFileOf(layout)));
      },
      lookAtStore: () => lookAtStore(config, isShut),
      publish: async () => {
        if (config.publish === null || isShut) return;
        await publish(config.publish, kubeconfigOf(foundation));
      },
      renew: async () => {
        await hubServers(config, foundation, true);
        await hubTemporal(config, foundation);
        await ocmHub({ kubeconfig: cluster.kubeconfig, pki, ports });
        await cappstanProcesses(ours);
      },
    };
  }
}

function startingWhat({ etcd, temporal }: HubConfig): string {
  const [first, ...more] = [
    ...(etcd.mode === 'embed' ? ['etcd'] : []),
    'the API server',
    ...(temporal.mode === 'embed' ? ['Temporal'] : []),
  ];
  const last = more.pop();
  return `Starting ${[first, ...more].join(', ')}${last === undefined ? '' : ` and ${last}`}`;
}
