// The process of the tunnel's stand-in.
import { join } from 'node:path';
import type { Kube } from '../../../../kube/client.ts';
import type { Foundation, LocalCluster } from '../../kubernetes/cluster.ts';
import { Wave, type ProcessSpec } from '../../supervise/process-spec.ts';
import { lendReaderAccount } from './accounts.ts';
import { SITES, sitesText } from './sites.ts';

/** By which the reader goes to sites: the address of the user server, and its authority. */
export interface TunnelDoor {
  /** https. */
  readonly userServer: string;
  /** The absolute path of the authority (PEM) of its certificate. */
  readonly authority: string;
}

interface Reached {
  readonly cluster: LocalCluster;
  readonly kube: Kube;
}

/**
 * Gives the reader its accounts on these sites, and returns the process that leads there. Writes what is due.
 * Safe to repeat. Throws ApiError.
 */
export async function prepareTunnel(
  { layout, pki, ports }: Foundation,
  hub: Kube,
  sites: readonly Reached[],
): Promise<{ readonly spec: ProcessSpec; readonly door: TunnelDoor }> {
  const ca = pki.authority.cert;
  await Promise.all(
    sites.map(({ cluster, kube }) => {
      const file = layout.dataOf(`${cluster.name}-reader.kubeconfig`);
      return lendReaderAccount({ hub, site: kube, cluster, ca, file });
    }),
  );
  const [port, health] = [await ports.of('tunnel'), await ports.of('tunnel-health')];
  const pair = await pki.issue('tunnel', { name: 'tunnel', hosts: ['127.0.0.1'] });
  const spec: ProcessSpec = {
    name: 'tunnel-stand-in',
    command: process.execPath,
    args: ['--max-old-space-size=64', '--max-semi-space-size=2', join(import.meta.dirname, 'main.ts')],
    env: {
      HEALTH_ADDRESS: `127.0.0.1:${health}`,
      TUNNEL_ADDRESS: `127.0.0.1:${port}`,
      TUNNEL_CERT_FILE: pair.cert,
      TUNNEL_KEY_FILE: pair.key,
      AUTHORITY_FILE: ca,
      [SITES]: sitesText(sites.map(({ cluster }) => cluster)),
    },
    ready: { http: `http://127.0.0.1:${health}/healthz` },
    wave: Wave.controller,
    ports: [port, health],
  };
  return { spec, door: { userServer: `https://127.0.0.1:${port}`, authority: ca } };
}
