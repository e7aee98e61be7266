// The process of a site's stand-ins, and the kind that they serve.
import { join } from 'node:path';
import type { Kube } from '../../../kube/client.ts';
import { applyDefinitions, isDefinition, readManifests } from '../kubernetes/manifests.ts';
import { Wave, type Address, type ProcessSpec } from '../supervise/process-spec.ts';

/** Applies the CRD NfsPvc to a site. Safe to repeat. */
export async function installStandIns(kube: Kube): Promise<void> {
  const objects = await readManifests(join(import.meta.dirname, '..', 'manifests', 'nfspvc.yaml'));
  await applyDefinitions(kube, objects.filter(isDefinition));
}

export interface StandInsOptions {
  /** The site's name. */
  readonly cluster: string;
  readonly kubeconfig: string;
  /** Port of its health check. */
  readonly port: number;
  /** Port of the site's node, which is asked for logs and for what Pods use. */
  readonly nodePort: number;
  /** The folder in which the site's agent finds its identity for the gateway. */
  readonly identity: string;
  /** The folder in which it finds the proxy of the site. */
  readonly proxy: string;
  /** Where the site's ingress listens; null for a site with the real data plane. */
  readonly ingress: Address | null;
}

/**
 * Run `installKnative` and `installStandIns` first: the stand-ins become ready only when their kinds are
 * served.
 */
export function standInsProcess({
  cluster,
  kubeconfig,
  port,
  nodePort,
  identity,
  proxy,
  ingress,
}: StandInsOptions): ProcessSpec {
  return {
    name: `${cluster}-stand-ins`,
    command: process.execPath,
    args: ['--max-old-space-size=128', '--max-semi-space-size=4', join(import.meta.dirname, 'site.ts')],
    env: {
      KUBECONFIG: kubeconfig,
      HEALTH_ADDRESS: `127.0.0.1:${port}`,
      SITE: cluster,
      NODE_ADDRESS: `127.0.0.1:${nodePort}`,
      IDENTITY_FOLDER: identity,
      PROXY_FOLDER: proxy,
      ...(ingress === null ? {} : { INGRESS_ADDRESS: `${ingress.host}:${ingress.port}` }),
    },
    ready: { http: `http://127.0.0.1:${port}/healthz` },
    wave: Wave.controller,
    ports: [port, nodePort],
    addresses: ingress === null ? [] : [ingress],
  };
}
