// OCM's own work agent for one cluster: on one API server that is its hub and its site, or on two or three.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controllerFlags } from '../../../../deploy/local/ocm/hub.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { runProbe } from '../../../../deploy/local/supervise/probe.ts';
import { APPLIED_MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serveBare } from '../api/definitions.ts';

/** Resolves when it is ready, with what stops it. The kind ManifestWork must be served. */
export async function startWorkAgent(
  kube: Kube,
  kubeconfig: string,
  cluster: string,
): Promise<() => Promise<void>> {
  await serveBare(kube, APPLIED_MANIFEST_WORK);
  return startWorkAgentOf({ hub: kubeconfig, site: kubeconfig, host: kubeconfig }, cluster);
}

/** Paths of kubeconfigs. `host` is where the agent keeps its own objects: another cluster in hosted mode. */
export interface AgentPlaces {
  readonly hub: string;
  readonly site: string;
  readonly host: string;
}

/** The same. The site must serve AppliedManifestWork. */
export async function startWorkAgentOf(
  { hub, site, host }: AgentPlaces,
  cluster: string,
): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-work-agent-'));
  const port = await (await openPorts(join(dir, 'ports.json'))).of('work-agent');
  const args = [
    'agent',
    ...controllerFlags(port),
    '--namespace=default',
    `--kubeconfig=${host}`,
    `--spoke-kubeconfig=${site}`,
    `--spoke-cluster-name=${cluster}`,
    `--hub-kubeconfig=${hub}`,
    `--workload-source-config=${hub}`,
    `--agent-id=${cluster}`,
    '--status-sync-interval=2s',
  ];
  const child = spawn(toolPath('ocm-work'), args, { cwd: dir, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const healthz = { http: `https://127.0.0.1:${port}/healthz` } as const;
    const isReady = async () => ((await runProbe(healthz)) === 'healthy' ? true : undefined);
    await eventually(isReady, { withinMs: 60_000, everyMs: 100 });
  } catch (cause) {
    await stop();
    throw cause;
  }
  return stop;
}
