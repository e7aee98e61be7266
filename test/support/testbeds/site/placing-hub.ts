// What makes a hub on a site place by itself: OCM's placement controller, our hub worker and bridge, each as
// its own process, and a Temporal namespace. That its cluster is available nobody but the test says.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { AVAILABLE, JOINED, MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { MANAGED_CLUSTER_SET } from '../../../../crds/ocm/placements.ts';
import { cappstanProcess } from '../../../../deploy/local/cappstan/processes.ts';
import { applyObjects, ourManifests } from '../../../../deploy/local/kubernetes/apply.ts';
import { controllerFlags } from '../../../../deploy/local/ocm/hub.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { openPorts, type Ports } from '../../../../deploy/local/supervise/ports.ts';
import { runProbe } from '../../../../deploy/local/supervise/probe.ts';
import type { ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { createCapp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serveOurs } from '../../servers/api/definitions.ts';
import { SITE, type HubOnSite } from './hub-on-site.ts';

const STARTS = { withinMs: 240_000, everyMs: 200 };
const SET_LABEL = 'cluster.open-cluster-management.io/clusterset';

type Started = Pick<ProcessSpec, 'command' | 'args' | 'ready'> & { readonly env: NodeJS.ProcessEnv };

/** Takes the address of Temporal, which has a namespace of the hub's id. Resolves with what ends it. */
export async function placesByItself(hub: HubOnSite, temporal: string): Promise<() => Promise<void>> {
  const { kube } = hub.cluster;
  await serveOurs(kube);
  const selector = { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } };
  await kube.create(MANAGED_CLUSTER_SET, { metadata: { name: 'default' }, spec: selector } as never);
  await registered(hub, SITE);
  for (const file of ['placements', 'rcs-config']) await applyObjects(kube, await ourManifests(file));
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-placing-'));
  const children: ChildProcess[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(children.map(ended));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    for (const started of await processesOf(hub, temporal, await openPorts(join(dir, 'ports.json')))) {
      const child = spawn(started.command, [...started.args], {
        cwd: dir,
        env: started.env,
        stdio: 'ignore',
      });
      children.push(child);
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(`${started.args.join(' ')} has ended.`);
        return (await runProbe(started.ready)) === 'healthy' ? true : undefined;
      }, STARTS);
    }
  } catch (cause) {
    await end();
    throw cause;
  }
  return end;
}

async function processesOf({ id, cluster }: HubOnSite, temporal: string, ports: Ports): Promise<Started[]> {
  const { kubeconfig } = cluster;
  const port = await ports.of('placement');
  const placement = {
    command: toolPath('ocm-placement'),
    args: ['controller', ...controllerFlags(port), `--kubeconfig=${kubeconfig}`, '--namespace=default'],
    env: { ...process.env, POD_NAMESPACE: 'default', POD_NAME: 'placement' },
    ready: { http: `https://127.0.0.1:${port}/healthz` },
  } as const;
  const env = { TEMPORAL_ADDRESS: temporal, TEMPORAL_NAMESPACE: id, HUB_ID: id };
  const ours = (['hub', 'bridge'] as const).map((component) =>
    cappstanProcess({ component, cluster: 'hub', kubeconfig, nodeFlags: [], env }, ports),
  );
  return [
    placement,
    ...(await Promise.all(ours)).map((spec) => ({ ...spec, env: { ...process.env, ...spec.env } })),
  ];
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** A cluster of the hub that is available from now on. */
export async function registered({ cluster: { kube } }: HubOnSite, name: string): Promise<void> {
  if ((await kube.get(NAMESPACE, { namespace: null, name })) === null)
    await kube.create(NAMESPACE, { metadata: { name } });
  const metadata = { name, labels: { [SET_LABEL]: 'default' } };
  await kube.create(MANAGED_CLUSTER, { metadata, spec: { hubAcceptsClient: true } } as never);
  const told = { status: 'True', reason: 'Told', message: '', lastTransitionTime: new Date().toISOString() };
  const conditions = ['HubAcceptedManagedCluster', JOINED, AVAILABLE].map((type) => ({ type, ...told }));
  const key = { namespace: null, name };
  await kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
}

/** A Capp with a Secret, as its people make it on the hub. */
export async function asked(hub: HubOnSite, namespace: string, name: string): Promise<void> {
  const { kube } = hub.cluster;
  if ((await kube.get(NAMESPACE, { namespace: null, name: namespace })) === null)
    await kube.create(NAMESPACE, { metadata: { name: namespace } });
  const secret = { metadata: { namespace, name: `${name}-key` }, data: { value: btoa(hub.id) } };
  await kube.create(SECRET, secret as never);
  const container = { envFrom: [{ secretRef: { name: `${name}-key` } }] };
  await createCapp(kube, { namespace, name, container });
}
