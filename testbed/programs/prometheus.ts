// A Prometheus of a test's own, such as one that scrapes every process of a running stack of ours, with the
// chart's alerts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { metricsPortOf, processName, ROOT } from '../../deploy/local/cappstan/processes.ts';
import { toolPath } from '../../deploy/local/programs/tools.ts';
import { isFree } from '../../deploy/local/supervise/ports.ts';
import { eventually } from '../eventually.ts';
import type { TestbedStack } from '../stack.ts';

export const MONITORING = resolve(ROOT, 'deploy', 'helm', 'monitoring');

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** A time, and the value as text. */
  readonly value: readonly [number, string];
}

export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

export interface Prometheus {
  readonly url: string;
  query(expression: string): Promise<readonly Series[]>;
  alerts(): Promise<readonly Alert[]>;
  stop(): Promise<void>;
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly object[] }[];
}

/** Scrapes every two seconds. Alerts fire at once, without the time for which they otherwise wait. */
export async function startPrometheus(stack: TestbedStack): Promise<Prometheus> {
  const rules = parse(await readFile(join(MONITORING, 'alerts.yaml'), 'utf8')) as Rules;
  const hasty = {
    groups: rules.groups.map((group) => ({
      ...group,
      interval: '1s',
      rules: group.rules.map((rule) => ({ ...rule, for: '0s' })),
    })),
  };
  return servePrometheus(await configOf(stack), hasty);
}

/** With these rules beside what the configuration says. */
export async function servePrometheus(config: object, rules: Rules): Promise<Prometheus> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-prometheus-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await mkdir(join(dir, 'data'));
  await writeFile(join(dir, 'rules.yaml'), stringify(rules));
  await writeFile(join(dir, 'prometheus.yaml'), stringify({ ...config, rule_files: ['rules.yaml'] }));
  const args = [
    `--config.file=${join(dir, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(toolPath('prometheus'), args, { cwd: dir, stdio: 'ignore' });
  const exit = once(child, 'exit');
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`);
    const { status, data, error } = (await response.json()) as Record<string, unknown>;
    if (status !== 'success') throw new Error(`Prometheus refuses ${path}: ${String(error)}`);
    return data;
  };
  await eventually(async () => ask('/api/v1/status/runtimeinfo'), { everyMs: 100 });
  return {
    url,
    query: async (expression) =>
      ((await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)) as { result: Series[] }).result,
    alerts: async () => ((await ask('/api/v1/alerts')) as { alerts: Alert[] }).alerts,
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function configOf({ layout, sites }: TestbedStack): Promise<object> {
  const ports = JSON.parse(await readFile(join(layout.state, 'ports.json'), 'utf8')) as Record<
    string,
    number
  >;
  const names = [
    ...(['bridge', 'gateway', 'hub', 'webhook'] as const).map((one) => processName(one, 'hub')),
    ...sites.flatMap((site) => (['agent', 'site'] as const).map((one) => processName(one, site))),
  ];
  const targets = names.map((name) => ({
    targets: [`127.0.0.1:${ports[metricsPortOf(name)] ?? 0}`],
    labels: { instance: name },
  }));
  return {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
    scrape_configs: [{ job_name: 'cappstan', static_configs: targets }],
  };
}

async function freePort(): Promise<number> {
  for (let port = 19_090; port < 19_190; port += 1) if (await isFree(port)) return port;
  throw new Error('No port from 19090 to 19189 is free on 127.0.0.1.');
}
