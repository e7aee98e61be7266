// OCM on a site: the CRDs and namespaces of its agent, and the agent.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyObjects, ourManifests, resourceOf } from '../kubernetes/apply.ts';
import { applyOcmCrds } from './crds.ts';
import { controllerFlags } from './hub.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';
import { toolPath } from '../programs/tools.ts';

const MANAGED_CLUSTER = {
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
} as const;

/** The ServiceAccount of OCM's agent on the site. */
export const OCM_AGENT_ACCOUNT = {
  namespace: 'open-cluster-management-agent',
  name: 'klusterlet-work-sa',
} as const;

/** Applies namespaces, CRDs and the agent's ServiceAccount to the site. Safe to repeat. */
export async function prepareOcmSite(site: Kube): Promise<void> {
  await applyObjects(site, await ourManifests('site'));
  await applyOcmCrds(site, 'site');
}

export interface OcmAgentOptions {
  readonly site: string;
  /** Of `OCM_AGENT_ACCOUNT`. */
  readonly kubeconfig: string;
  /** Path of the kubeconfig with which it first comes to the hub. */
  readonly bootstrap: string;
  /** Folder of the agent's own credential for the hub. */
  readonly hubDir: string;
  readonly port: number;
}

/** The process of OCM's agent. It registers the site with the hub. */
export async function ocmAgent({
  site,
  kubeconfig,
  bootstrap,
  hubDir,
  port,
}: OcmAgentOptions): Promise<ProcessSpec> {
  await mkdir(hubDir, { recursive: true, mode: 0o700 });
  const healthz = { http: `https://127.0.0.1:${port}/healthz` } as const;
  return {
    name: `${site}-ocm-agent`,
    command: toolPath('ocm-agent'),
    args: [
      'agent',
      ...controllerFlags(port),
      `--kubeconfig=${kubeconfig}`,
      '--namespace=open-cluster-management-agent',
      `--spoke-cluster-name=${site}`,
      // The default is a new id at each start, which makes the stored credential invalid.
      `--agent-id=${site}`,
      `--bootstrap-kubeconfig=${bootstrap}`,
      `--hub-kubeconfig-dir=${hubDir}`,
      `--workload-source-config=${join(hubDir, 'kubeconfig')}`,
      '--hub-kube-api-qps=500',
      '--hub-kube-api-burst=1000',
      '--status-sync-interval=2s',
      '--cluster-healthcheck-period=2s',
    ],
    ready: healthz,
    // An agent whose credential has expired does no work and reports it only here.
    live: healthz,
    wave: Wave.controller,
    ports: [port],
  };
}

/** Waits until OCM calls the site available. Throws after `timeoutMs`, with OCM's last message about it. */
export async function awaitAvailable(hub: Kube, site: string, timeoutMs = 120_000): Promise<void> {
  type Conditions = KubeObject & {
    status?: { conditions?: { type: string; status: string; message?: string }[] };
  };
  const resource = await resourceOf(hub, MANAGED_CLUSTER);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const conditions =
      (await hub.get<Conditions>(resource, { namespace: null, name: site }))?.status?.conditions ?? [];
    const available = conditions.find(({ type }) => type === 'ManagedClusterConditionAvailable');
    if (available?.status === 'True') return;
    if (Date.now() > deadline) {
      const said = available?.message ?? conditions.map(({ type, status }) => `${type}=${status}`).join(', ');
      throw new Error(
        `${site} is not available after ${timeoutMs / 1000} s (${said || 'its agent has not connected to the hub'}). See the log of ${site}-ocm-agent.`,
      );
    }
    await sleep(100);
  }
}
