// Our own processes on the stack: each is the process that a Deployment of our chart stands for, run beside it.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Ports } from '../ports.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';

export const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const SOURCES = ['activities', 'admission', 'bridge', 'crds', 'kube', 'site', 'tls', 'workers', 'workflows'];

/** `bridge`, `hub` and `webhook` run once, `agent` and `site` once on each site. Each has a main in workers/ and a Deployment in the chart. */
export type Component = 'bridge' | 'hub' | 'webhook' | 'agent' | 'site';

export interface OurProcess {
  readonly component: Component;
  /** `hub` or the site's name. */
  readonly cluster: string;
  readonly kubeconfig: string;
  readonly nodeFlags: readonly string[];
  /** KUBECONFIG and the addresses to listen on are set here, for this machine. */
  readonly env: Readonly<Record<string, string>>;
}

export async function ourProcess({ component, cluster, kubeconfig, nodeFlags, env }: OurProcess, ports: Ports): Promise<ProcessSpec> {
  const name = processName(component, cluster);
  const port = await ports.of(name);
  const address = `127.0.0.1:${port}`;
  const answering = component === 'webhook' ? [await webhookPort(ports)] : [];
  const counting = component === 'hub' ? [await ports.of(`${name}-metrics`)] : [];
  const addresses = {
    HEALTH_ADDRESS: address,
    ...Object.fromEntries(answering.map((one) => ['WEBHOOK_ADDRESS', `127.0.0.1:${one}`])),
    ...Object.fromEntries(counting.map((one) => ['METRICS_ADDRESS', `127.0.0.1:${one}`])),
  };
  return {
    name,
    command: process.execPath,
    args: [...nodeFlags, join(ROOT, 'workers', component, 'main.ts')],
    // The last makes another spec of another source text, so that `make up` restarts what was edited.
    env: { ...env, KUBECONFIG: kubeconfig, ...addresses, SOURCES_CHANGED: sourcesChanged() },
    cwd: ROOT,
    ready: { http: `http://${address}/healthz` },
    wave: Wave.ours,
    ports: [port, ...answering, ...counting],
  };
}

/** Where the hub's API server reaches the webhook. */
export function webhookPort(ports: Ports): Promise<number> {
  return ports.of('webhook-answers');
}

/** `bridge`, `hub-worker`, `webhook`, `site-1-agent`, `site-1-operator`: also the names of their logs. */
export function processName(component: Component, cluster: string): string {
  switch (component) {
    case 'bridge':
      return 'bridge';
    case 'hub':
      return 'hub-worker';
    case 'webhook':
      return 'webhook';
    case 'agent':
      return `${cluster}-agent`;
    case 'site':
      return `${cluster}-operator`;
  }
}

/** When a source of ours last changed, RFC 3339. */
function sourcesChanged(): string {
  const folders = SOURCES.map((folder) => join(ROOT, folder));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)));
  const times = files.filter((file) => file.endsWith('.ts')).map((file) => statSync(file).mtimeMs);
  return new Date(Math.max(0, ...times)).toISOString();
}
