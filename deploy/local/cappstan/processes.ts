// Our processes on the stack, one for each Deployment of our chart.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Ports } from '../supervise/ports.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';

export const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const SOURCES = [
  'activities',
  'admission',
  'bridge',
  'crds',
  'gateway',
  'kube',
  'notify',
  'reach',
  'registrar',
  'site',
  'temporal',
  'tls',
  'workers',
  'workflows',
];

/**
 * `bridge`, `gateway`, `hub` and `webhook` run once, `notifier`, `reader` and `registrar` where they are
 * asked for, `agent` and `site` once for each site. Each has a main in workers/ and a Deployment in the
 * chart.
 */
export type Component =
  | 'bridge'
  | 'gateway'
  | 'hub'
  | 'webhook'
  | 'notifier'
  | 'reader'
  | 'registrar'
  | 'agent'
  | 'site';

export interface CappstanProcess {
  readonly component: Component;
  /** `hub` or the site's name. */
  readonly cluster: string;
  readonly kubeconfig: string;
  readonly nodeFlags: readonly string[];
  /** The IPv4 address on which the gateway listens; loopback if not given. */
  readonly gatewayBind?: string;
  /** Without KUBECONFIG and the addresses to listen on, which are set for this machine. */
  readonly env: Readonly<Record<string, string>>;
}

export async function cappstanProcess(
  { component, cluster, kubeconfig, nodeFlags, env, gatewayBind = '127.0.0.1' }: CappstanProcess,
  ports: Ports,
): Promise<ProcessSpec> {
  const name = processName(component, cluster);
  const port = await ports.of(name);
  const address = `127.0.0.1:${port}`;
  const webhookPorts = component === 'webhook' ? [await webhookPort(ports)] : [];
  const gatewayPorts = component === 'gateway' ? [await gatewayPort(ports)] : [];
  const readerPorts = component === 'reader' ? [await readerPort(ports)] : [];
  const metricsPort = await ports.of(metricsPortOf(name));
  const addresses = {
    HEALTH_ADDRESS: address,
    ...Object.fromEntries(webhookPorts.map((one) => ['WEBHOOK_ADDRESS', `127.0.0.1:${one}`])),
    ...Object.fromEntries(gatewayPorts.map((one) => ['GATEWAY_ADDRESS', `${gatewayBind}:${one}`])),
    ...Object.fromEntries(readerPorts.map((one) => ['READER_ADDRESS', `127.0.0.1:${one}`])),
    METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
  };
  return {
    name,
    command: process.execPath,
    args: [...nodeFlags, join(ROOT, 'workers', component, 'main.ts')],
    // SOURCES_CHANGED changes the spec when a source changes, so that `make up` restarts our processes then.
    env: {
      ...env,
      KUBECONFIG: kubeconfig,
      ...addresses,
      ...bundleFor(component),
      SOURCES_CHANGED: sourcesChanged(),
    },
    cwd: ROOT,
    ready: { http: `http://${address}/healthz` },
    wave: Wave.ours,
    ports: [
      port,
      ...webhookPorts,
      ...readerPorts,
      ...(gatewayBind === '127.0.0.1' ? gatewayPorts : []),
      metricsPort,
    ],
    addresses:
      gatewayBind === '127.0.0.1' ? [] : gatewayPorts.map((one) => ({ host: gatewayBind, port: one })),
  };
}

/** The name of the port on which that process serves its metrics. */
export function metricsPortOf(process: string): string {
  return `${process}-metrics`;
}

/** The port on which the hub's API server calls the webhook. */
export function webhookPort(ports: Ports): Promise<number> {
  return ports.of('webhook-answers');
}

/** The port on which the hub's API server asks the reader. */
export function readerPort(ports: Ports): Promise<number> {
  return ports.of('reader-door');
}

/** The port at which agents reach the gateway. */
export function gatewayPort(ports: Ports): Promise<number> {
  return ports.of('gateway-door');
}

/**
 * `bridge`, `gateway`, `hub-worker`, `webhook`, `site-1-agent`, `site-1-operator`: also the names of their
 * logs.
 */
export function processName(component: Component, cluster: string): string {
  switch (component) {
    case 'bridge':
      return 'bridge';
    case 'gateway':
      return 'gateway';
    case 'hub':
      return 'hub-worker';
    case 'webhook':
      return 'webhook';
    case 'notifier':
      return 'notifier';
    case 'reader':
      return 'reader';
    case 'registrar':
      return 'registrar';
    case 'agent':
      return `${cluster}-agent`;
    case 'site':
      return `${cluster}-operator`;
  }
}

/** In the archive of `make hub` the workflows are bundled, and its start script says where. */
function bundleFor(component: Component): Readonly<Record<string, string>> {
  const { WORKFLOW_BUNDLE: bundle } = process.env;
  return component === 'hub' && bundle !== undefined ? { WORKFLOW_BUNDLE: bundle } : {};
}

/** The time of the newest change of our sources, RFC 3339. */
function sourcesChanged(): string {
  const folders = SOURCES.map((folder) => join(ROOT, folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const times = files.filter((file) => file.endsWith('.ts')).map((file) => statSync(file).mtimeMs);
  return new Date(Math.max(0, ...times)).toISOString();
}
