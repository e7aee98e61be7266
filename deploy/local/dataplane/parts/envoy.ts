// Envoy, which answers the requests to a site, with the bootstrap that Kourier publishes for it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { envoyPath } from '../../programs/envoy.ts';
import { moduleFiles } from '../../programs/tools.ts';
import type { DataplanePart } from './part.ts';
import { HTTP_PORT, HTTPS_PORT, KOURIER_NAMESPACE, XDS_PORT } from './settings.ts';

/** For requests from inside the site. */
const INTERNAL_HTTP_PORT = 8081;
const INTERNAL_HTTPS_PORT = 8444;

/** `controller` is the address of Kourier's controller. The bootstrap is written to `file`. */
export function envoyPart(controller: string, file: string): DataplanePart {
  const published = readFileSync(join(moduleFiles('knative.dev/net-kourier'), '200-bootstrap.yaml'), 'utf8');
  writeFileSync(file, bootstrap(published, controller));
  return {
    name: 'envoy',
    port: HTTP_PORT,
    services: [
      { namespace: KOURIER_NAMESPACE, name: 'kourier', ports: portsOf(HTTP_PORT, HTTPS_PORT) },
      {
        namespace: KOURIER_NAMESPACE,
        name: 'kourier-internal',
        ports: portsOf(INTERNAL_HTTP_PORT, INTERNAL_HTTPS_PORT),
      },
    ],
    program: () => ({
      command: envoyPath(),
      args: ['--disable-hot-restart', '-c', file, '--log-level', 'warn', '--concurrency', '1'],
    }),
  };
}

interface Cluster {
  readonly name: string;
}

/** The bootstrap in Kourier's published ConfigMap, with an address instead of the name of its controller. */
export function bootstrap(published: string, controller: string): string {
  const { data } = parse(published) as { data: Record<string, string> };
  const settings = parse(data['envoy-bootstrap.yaml'] ?? '') as {
    static_resources: { clusters: readonly Cluster[] };
  };
  const address = { socket_address: { address: controller, port_value: XDS_PORT } };
  const clusters = settings.static_resources.clusters.map((cluster) =>
    cluster.name === 'xds_cluster'
      ? {
          ...cluster,
          type: 'STATIC',
          load_assignment: {
            cluster_name: cluster.name,
            endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }],
          },
        }
      : cluster,
  );
  return stringify({ ...settings, static_resources: { ...settings.static_resources, clusters } });
}

function portsOf(http: number, https: number) {
  return [
    { name: 'http2', port: 80, targetPort: http },
    { name: 'https', port: 443, targetPort: https },
  ];
}
