// The process of a site's data plane, with what it finds on disk.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeKubeconfig } from '../kubernetes/kubeconfig.ts';
import type { Pki } from '../kubernetes/pki.ts';
import { cacheRoot } from '../programs/tools.ts';
import { Wave, type Address, type ProcessSpec } from '../supervise/process-spec.ts';
import { GATEWAY } from './network/sandbox.ts';

/** A name in the certificates of all API servers of the stack. */
const SERVER_NAME = 'kubernetes.default.svc';

export interface DataPlaneOptions {
  /** The site's name. */
  readonly cluster: string;
  readonly kubeconfig: string;
  /** Of the site's API server. */
  readonly url: string;
  readonly pki: Pki;
  /** A folder for its files. */
  readonly dir: string;
  readonly logs: string;
  /** Ports of its health check and of Knative's webhook. */
  readonly ports: { readonly health: number; readonly webhook: number };
  /** Where the site answers. */
  readonly ingress: Address;
}

/** Creates the folder and the kubeconfig of its parts. Run `installDataPlane` first. Safe to repeat. */
export async function dataPlaneProcess(options: DataPlaneOptions): Promise<ProcessSpec> {
  const { cluster, kubeconfig, url, pki, dir, logs, ports, ingress } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const partsKubeconfig = join(dir, 'parts.kubeconfig');
  const { port } = new URL(url);
  await writeKubeconfig(partsKubeconfig, {
    cluster,
    server: `https://${GATEWAY}:${port}`,
    serverName: SERVER_NAME,
    ca: pki.authority.cert,
    credential: { pair: await pki.issue('admin', { name: 'kubernetes-admin', groups: ['system:masters'] }) },
  });
  return {
    name: `${cluster}-data-plane`,
    command: process.execPath,
    args: ['--max-old-space-size=64', '--max-semi-space-size=4', join(import.meta.dirname, 'site.ts')],
    env: {
      KUBECONFIG: kubeconfig,
      PARTS_KUBECONFIG: partsKubeconfig,
      // Where its programs are.
      CAPPSTAN_CACHE: cacheRoot(),
      SITE: cluster,
      LOGS: logs,
      API_ADDRESS: `127.0.0.1:${port}`,
      HEALTH_ADDRESS: `127.0.0.1:${ports.health}`,
      WEBHOOK_ADDRESS: `127.0.0.1:${ports.webhook}`,
      INGRESS_ADDRESS: `${ingress.host}:${ingress.port}`,
    },
    cwd: dir,
    ready: { http: `http://127.0.0.1:${ports.health}/healthz` },
    wave: Wave.controller,
    ports: [ports.health, ports.webhook],
    addresses: [ingress],
  };
}
