// OCM on a site: the CRDs and namespaces of its agent, the agent itself, and the site's place on the hub.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { writeKubeconfig } from '../kubernetes/kubeconfig.ts';
import { applyObjects, ourManifests, resourceOf } from '../kubernetes/apply.ts';
import { applyOcmCrds } from './crds.ts';
import { BOOTSTRAP_USER, controllerFlags } from './hub.ts';
import type { Pki } from '../kubernetes/pki.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';
import { toolPath } from '../programs/tools.ts';

const MANAGED_CLUSTER = { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster' } as const;

/** As the site's API server knows OCM's agent. */
export const OCM_AGENT_ACCOUNT = { namespace: 'open-cluster-management-agent', name: 'klusterlet-work-sa' } as const;

/** Namespaces, CRDs and the agent's ServiceAccount on the site. Safe to repeat. */
export async function prepareOcmSite(site: Kube): Promise<void> {
  await applyObjects(site, await ourManifests('site'));
  await applyOcmCrds(site, 'site');
}

export interface OcmAgentOptions {
  readonly site: string;
  /** Of `OCM_AGENT_ACCOUNT`. */
  readonly kubeconfig: string;
  readonly hub: string;
  readonly pki: Pki;
  /** Where the agent keeps its credential for the hub. */
  readonly dir: string;
  readonly port: number;
}

/** The process of OCM's own agent. It registers the site with the hub by itself. */
export async function ocmAgent({ site, kubeconfig, hub, pki, dir, port }: OcmAgentOptions): Promise<ProcessSpec> {
  const bootstrap = join(dir, 'bootstrap.kubeconfig');
  const hubDir = join(dir, 'hub');
  await mkdir(hubDir, { recursive: true, mode: 0o700 });
  const pair = await pki.issue('ocm-bootstrap', { name: BOOTSTRAP_USER });
  await writeKubeconfig(bootstrap, { cluster: 'hub', server: hub, ca: pki.authority.cert, credential: { pair } });
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
      // A random one at each start would make the credential of the last start useless.
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
    // With a credential that has run out it says so here, and does nothing more.
    live: healthz,
    wave: Wave.controller,
    ports: [port],
  };
}

/** Makes the site known to the hub, accepted, with a lease of this many seconds: it counts as lost after five of them. Safe to repeat. */
export async function acceptSite(hub: Kube, site: string, leaseDurationSeconds: number): Promise<void> {
  const cluster = { ...MANAGED_CLUSTER, metadata: { name: site }, spec: { hubAcceptsClient: true, leaseDurationSeconds } };
  await applyObjects(hub, [cluster]);
}

/** Waits until OCM calls the site available. Throws, with the last that OCM said of it, after `timeoutMs`. */
export async function awaitAvailable(hub: Kube, site: string, timeoutMs = 120_000): Promise<void> {
  type Conditions = KubeObject & { status?: { conditions?: { type: string; status: string; message?: string }[] } };
  const resource = await resourceOf(hub, MANAGED_CLUSTER);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const conditions = (await hub.get<Conditions>(resource, { namespace: null, name: site }))?.status?.conditions ?? [];
    const available = conditions.find(({ type }) => type === 'ManagedClusterConditionAvailable');
    if (available?.status === 'True') return;
    if (Date.now() > deadline) {
      const said = available?.message ?? conditions.map(({ type, status }) => `${type}=${status}`).join(', ');
      throw new Error(
        `${site} does not become available (${said || 'its agent has not come to the hub'}): see the log of ${site}-ocm-agent`,
      );
    }
    await sleep(100);
  }
}
