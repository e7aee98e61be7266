// Starts or repairs a stack: the order in which its parts are prepared and started.
//
// `make up` calls this for `.local`; tests call it for folders of their own. Every step is safe to repeat, so
// a start also repairs.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Kube } from '../../kube/client.ts';
import { installCappstan } from './cappstan/addon.ts';
import { auditFlags } from './kubernetes/audit.ts';
import { createMissing, ourManifests } from './kubernetes/apply.ts';
import { DATA_PLANES } from './dataplane/choice.ts';
import { buildTools } from './programs/build.ts';
import { localCluster, type Foundation, type LocalCluster } from './kubernetes/cluster.ts';
import { awaitReady, ensureSupervisor, addProcesses, keepOnly } from './supervise/desired.ts';
import { engineOf, modulesFor } from './temporal/engine.ts';
import { etcd } from './kubernetes/etcd.ts';
import { writeText } from './supervise/json-file.ts';
import { HUB, layoutOf, siteNames, type Layout } from './layout.ts';
import { acquire, upLock } from './supervise/lock.ts';
import { applyDefinitions, isDefinition, readManifests } from './kubernetes/manifests.ts';
import { ocmHub, prepareOcmHub, registerOcmWebhooks } from './ocm/hub.ts';
import { acceptAgent, expectSite, spendToken, type Coming } from './ocm/registration.ts';
import { awaitAvailable, ocmAgent, OCM_AGENT_ACCOUNT, prepareOcmSite } from './ocm/site.ts';
import { openPki } from './kubernetes/pki.ts';
import { openPorts } from './supervise/ports.ts';
import type { ProcessSpec } from './supervise/process-spec.ts';
import { DEFAULTS, type StackOptions } from './stack-options.ts';
import { serviceAccountKubeconfig } from './kubernetes/service-account.ts';
import { ingressPort as portOfIngresses } from './standins/ingress/address.ts';
import { prepareTunnel, type TunnelDoor } from './standins/tunnel/process.ts';
import { environment, type DevTemporal } from './temporal/dev-server.ts';
import { toolPath } from './programs/tools.ts';

const OUR_CRDS = join(import.meta.dirname, '..', '..', 'crds', 'yaml');

export interface Stack {
  readonly layout: Layout;
  readonly hub: LocalCluster;
  readonly sites: readonly LocalCluster[];
  readonly temporal: DevTemporal;
  /** The port of every site's ingress; each has an address of its own (`ingressHost`). */
  readonly ingressPort: number;
  readonly specs: readonly ProcessSpec[];
}

/**
 * Builds, starts or repairs the stack. Throws an Error that says what failed; processes that run by then keep
 * running.
 */
export async function startStack(given: Partial<StackOptions> & { readonly dir: string }): Promise<Stack> {
  const options: StackOptions = { ...DEFAULTS, ...given };
  const layout = layoutOf(options.dir);
  await buildTools(options.progress, modulesFor(options.engine));
  await DATA_PLANES[options.dataPlane].prepare(options.progress);
  const lock = await acquire(upLock(layout.dir));
  if (lock === null) throw new Error(`The stack in ${layout.dir} is being started already. Wait for that.`);
  try {
    const builder = new StackBuilder(options, layout);
    return await builder.run();
  } finally {
    await lock.release();
  }
}

class StackBuilder {
  readonly #options: StackOptions;
  readonly #layout: Layout;
  readonly #specs: ProcessSpec[] = [];
  readonly #kubes: Kube[] = [];

  constructor(options: StackOptions, layout: Layout) {
    this.#options = options;
    this.#layout = layout;
  }

  async run(): Promise<Stack> {
    const { ocm, knative, ours, owner, progress } = this.#options;
    try {
      await mkdir(this.#layout.data, { recursive: true, mode: 0o700 });
      await ensureSupervisor(this.#layout, owner);
      const stack = await progress.step('Starting API servers and Temporal', () => this.#servers());
      await progress.step('Applying CRDs', () => this.#kinds(stack));
      if (ocm)
        await progress.step('Starting Open Cluster Management and registering the sites', () =>
          this.#ocm(stack),
        );
      if (knative && stack.sites.length > 0)
        await progress.step('Starting Knative on the sites', () => this.#knative(stack));
      if (ours) await progress.step('Starting Cappstan', () => this.#ours(stack));
      await keepOnly(
        this.#layout,
        this.#specs.map(({ name }) => name),
      );
      return { ...stack, specs: this.#specs };
    } finally {
      await Promise.all(this.#kubes.map((kube) => kube.close()));
    }
  }

  async #servers(): Promise<PartialStack> {
    const layout = this.#layout;
    const pki = await openPki(layout.dataOf('pki'));
    const ports = await openPorts(join(layout.state, 'ports.json'), this.#options.preferredPorts);
    const foundation: Foundation = { layout, pki, ports };
    const store = etcd({
      binary: toolPath('etcd'),
      dataDir: layout.dataOf('etcd'),
      clientPort: await ports.of('etcd'),
      peerPort: await ports.of('etcd-peer'),
    });
    const cluster = (name: string): Promise<LocalCluster> =>
      localCluster(name, foundation, store.access(`/${name}`), {
        flags: this.#options.audit ? auditFlags(layout, name) : [],
      });
    const hub = await cluster(HUB);
    const names = siteNames(this.#options.sites);
    const sites: LocalCluster[] = [];
    for (const name of names) sites.push(await cluster(name));
    const ingressPort = await portOfIngresses(ports, names);
    const engine = await engineOf(this.#options.engine)({
      layout,
      ports,
      start: (specs) => this.#start(specs),
    });
    writeText(layout.env, `${environment(engine)}export INGRESS_PORT=${ingressPort}\n`);
    await this.#start([store.spec, hub.apiServer, ...sites.map((site) => site.apiServer), engine.spec]);
    await engine.prepare();
    return { layout, foundation, hub, sites, temporal: engine, ingressPort };
  }

  async #kinds({ foundation, hub, sites, ingressPort }: PartialStack): Promise<void> {
    const { knative, dataPlane } = this.#options;
    const ours = (await readManifests(OUR_CRDS)).filter(isDefinition);
    const all = [hub, ...sites];
    const controllers = this.#start(all.map(({ controllerManager }) => controllerManager));
    const onHub = async (kube: Kube): Promise<void> => {
      await applyDefinitions(kube, ours);
      await prepareOcmHub(kube);
    };
    const onSite = async (kube: Kube, site: LocalCluster): Promise<void> => {
      await applyDefinitions(kube, ours);
      await prepareOcmSite(kube);
      if (!knative) return;
      await DATA_PLANES[dataPlane].install(kube, { cluster: site, foundation, ingressPort });
    };
    await Promise.all([
      controllers,
      onHub(this.#kube(hub)),
      ...sites.map((site) => onSite(this.#kube(site), site)),
    ]);
  }

  async #ocm({ foundation, hub, sites }: PartialStack): Promise<void> {
    const { layout, pki, ports } = foundation;
    const kube = this.#kube(hub);
    const options = { kubeconfig: hub.kubeconfig, pki, ports };
    await this.#start(await ocmHub(options));
    await registerOcmWebhooks(kube, options);
    const [agents, coming]: [ProcessSpec[], Coming[]] = [[], []];
    for (const cluster of sites) {
      const site = cluster.name;
      const port = await ports.of(`${site}-ocm-agent`);
      const file = layout.dataOf(`${site}-ocm-agent.kubeconfig`);
      const kubeconfig = await serviceAccountKubeconfig(this.#kube(cluster), {
        ...OCM_AGENT_ACCOUNT,
        cluster: site,
        server: cluster.url,
        ca: pki.authority.cert,
        file,
      });
      const dir = layout.dataOf(site);
      const { leaseSeconds } = this.#options;
      const ca = pki.authority.cert;
      const comes = await expectSite(kube, { site, hub: hub.url, ca, dir, leaseSeconds });
      coming.push(comes);
      const { bootstrap } = comes;
      agents.push(await ocmAgent({ site, kubeconfig, bootstrap, hubDir: join(dir, 'hub'), port }));
    }
    await this.#start(agents);
    await Promise.all(coming.map((one) => this.#letIn(kube, one)));
    const examples = ['placements', 'rcs-config', 'baremetalhost'].map(ourManifests);
    await createMissing(kube, (await Promise.all(examples)).flat());
  }

  async #letIn(kube: Kube, site: Coming): Promise<void> {
    await acceptAgent(kube, site);
    await awaitAvailable(kube, site.site);
    await spendToken(kube, site);
  }

  async #knative({ foundation, sites, ingressPort }: PartialStack): Promise<void> {
    const { processes } = DATA_PLANES[this.#options.dataPlane];
    const specs = sites.map((cluster) => processes({ cluster, foundation, ingressPort }));
    await this.#start((await Promise.all(specs)).flat());
  }

  async #ours(part: PartialStack): Promise<void> {
    const { env, ocm, argo } = this.#options;
    const { sites, temporal, ...place } = part;
    const specs = await installCappstan({
      ...place,
      sites: ocm ? sites : [],
      temporalAddress: temporal.address,
      temporalUi: temporal.ui,
      env,
      argo,
      reader: await this.#tunnel(part),
      // Of the CRD of Metal³ there is a stand-in, where nobody brings another (baremetalhost.yaml).
      values: { 'metal.hosts': 'true', 'addon.sealing.install': 'true' },
    });
    await this.#start(specs);
  }

  /** How the reader goes to sites; null: it does not run. */
  async #tunnel({ foundation, hub, sites }: PartialStack): Promise<TunnelDoor | null> {
    const { reader, ocm } = this.#options;
    if (!reader || !ocm) return null;
    const reached = sites.map((cluster) => ({ cluster, kube: this.#kube(cluster) }));
    const { spec, door } = await prepareTunnel(foundation, this.#kube(hub), reached);
    await this.#start([spec]);
    return door;
  }

  async #start(specs: readonly ProcessSpec[]): Promise<void> {
    this.#specs.push(...specs);
    await addProcesses(this.#layout, specs);
    await awaitReady(this.#layout, specs);
  }

  #kube({ kubeconfig }: LocalCluster): Kube {
    const kube = connect({ kubeconfig, userAgent: 'cappstan-local', deadlineMs: 30_000 });
    this.#kubes.push(kube);
    return kube;
  }
}

interface PartialStack extends Omit<Stack, 'specs'> {
  readonly foundation: Foundation;
}
