// A cluster of its own on this machine, without a hub: what `cappstan join` joins where there is no other.
//
// It is a site of the local stack before OCM and Cappstan come to it, with the same stand-ins. A hub brings
// those, as to any cluster.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../../../kube/client.ts';
import { DATA_PLANES } from '../dataplane/choice.ts';
import { localCluster, type Foundation, type LocalCluster } from '../kubernetes/cluster.ts';
import { etcd } from '../kubernetes/etcd.ts';
import { openPki } from '../kubernetes/pki.ts';
import { layoutOf } from '../layout.ts';
import { buildTools } from '../programs/build.ts';
import { MODULES } from '../programs/modules.ts';
import { toolPath } from '../programs/tools.ts';
import { ingressHost, ingressPort } from '../standins/ingress/address.ts';
import { addProcesses, awaitReady, ensureSupervisor } from '../supervise/desired.ts';
import { openPorts } from '../supervise/ports.ts';
import type { Address, ProcessSpec } from '../supervise/process-spec.ts';
import type { Progress } from '../terminal.ts';

/** What it calls itself. The hub that it joins calls it as the token does. */
const NAME = 'site-1';

export interface SingleSite {
  readonly foundation: Foundation;
  readonly cluster: LocalCluster;
  /** Where its apps are asked. */
  readonly ingress: Address;
}

/**
 * Builds, starts or repairs it in this folder, until the process `owner` is gone. Safe to repeat. Throws an
 * Error that says what failed.
 */
export async function startSingleSite(dir: string, owner: number, progress: Progress): Promise<SingleSite> {
  await buildTools(progress, MODULES);
  const layout = layoutOf(dir);
  await mkdir(layout.data, { recursive: true, mode: 0o700 });
  await ensureSupervisor(layout, owner);
  const ports = await openPorts(join(layout.state, 'ports.json'));
  const foundation = { layout, ports, pki: await openPki(layout.dataOf('pki')) };
  const store = etcd({
    binary: toolPath('etcd'),
    dataDir: layout.dataOf('etcd'),
    clientPort: await ports.of('etcd'),
    peerPort: await ports.of('etcd-peer'),
  });
  const cluster = await localCluster(NAME, foundation, store.access(`/${NAME}`));
  const place = { cluster, foundation, ingressPort: await ingressPort(ports, [NAME]) };
  const start = async (specs: readonly ProcessSpec[]): Promise<void> => {
    await addProcesses(layout, specs);
    await awaitReady(layout, specs);
  };
  const dataPlane = DATA_PLANES['stand-in'];
  await progress.step('Starting an API server', () =>
    start([store.spec, cluster.apiServer, cluster.controllerManager]),
  );
  await progress.step('Starting Knative', async () => {
    const kube = connect({ kubeconfig: cluster.kubeconfig, userAgent: 'cappstan-local', deadlineMs: 30_000 });
    try {
      await dataPlane.install(kube, place);
    } finally {
      await kube.close();
    }
    await start(await dataPlane.processes(place));
  });
  return { foundation, cluster, ingress: { host: ingressHost(NAME), port: place.ingressPort } };
}
