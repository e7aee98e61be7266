// The running stack in end-to-end tests: clients for its clusters and Temporal, and control of its processes.
import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { observedProcesses } from '../deploy/local/supervise/desired.ts';
import { layoutOf, type Layout } from '../deploy/local/layout.ts';
import { connect, type Kube } from '../kube/client.ts';
import { eventually, API_TIMEOUT_MS } from './eventually.ts';

export interface TestbedStack {
  readonly layout: Layout;
  readonly hub: Kube;
  /** A client for the hub or a site, by name. */
  cluster(name: string): Kube;
  /** A client for a site, by name. */
  site(name: string): Kube;
  readonly sites: readonly string[];
  readonly temporal: Client;
  /** host:port of Temporal's frontend. */
  readonly temporalAddress: string;
  /** The port of every site's ingress. */
  readonly ingressPort: number;
  /** Kills a process, and waits until its replacement is ready. */
  kill(process: string): Promise<void>;
  /** Kills a process. Returns a function that waits until its replacement is ready. */
  killNow(process: string): Promise<() => Promise<void>>;
  /** Stops a process with SIGSTOP while `meanwhile` runs. */
  freeze(process: string, meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stack in the folder CAPPSTAN_STACK, which `make test` sets. */
export async function openStack(): Promise<TestbedStack> {
  const folder = process.env['CAPPSTAN_STACK'];
  if (folder === undefined)
    throw new Error('CAPPSTAN_STACK is not set. Run `make test-e2e`, or set it to .local after `make up`.');
  const layout = layoutOf(folder);
  const env = Object.fromEntries(
    readFileSync(layout.env, 'utf8')
      .split('\n')
      .map((line) => line.replace(/^export /, '').split('='))
      .map(([name = '', value = '']) => [name, value]),
  );
  const temporalAddress = env['TEMPORAL_ADDRESS'] ?? '';
  const connection = await Connection.connect({ address: temporalAddress });
  const names = (await observedProcesses(layout))
    .map(({ name }) => /^(site-\d+)-api-server$/.exec(name)?.[1])
    .filter((name) => name !== undefined);
  const kubes = new Map(
    ['hub', ...names].map((name) => [
      name,
      connect({ kubeconfig: layout.kubeconfig(name), deadlineMs: API_TIMEOUT_MS }),
    ]),
  );
  const kubeOf = (name: string): Kube => {
    const kube = kubes.get(name);
    if (kube === undefined) throw new Error(`The stack has no cluster ${name}.`);
    return kube;
  };
  const killNow = (name: string): Promise<() => Promise<void>> => killProcess(layout, name);
  return {
    layout,
    hub: kubeOf('hub'),
    cluster: kubeOf,
    site: kubeOf,
    sites: names.toSorted(),
    temporal: new Client({ connection }),
    temporalAddress,
    ingressPort: Number(env['INGRESS_PORT']),
    killNow,
    kill: async (name) => (await killNow(name))(),
    freeze: async (name, meanwhile) => {
      const { pid } = await viewOf(layout, name);
      if (pid === null) throw new Error(`${name} does not run.`);
      process.kill(pid, 'SIGSTOP');
      await meanwhile().finally(() => process.kill(pid, 'SIGCONT'));
    },
    close: async () => {
      await connection.close();
      await Promise.all([...kubes.values()].map((kube) => kube.close()));
    },
  };
}

/** Kills a process. Returns a function that waits until its replacement is ready. */
export async function killProcess(layout: Layout, name: string): Promise<() => Promise<void>> {
  const before = await viewOf(layout, name);
  if (before.pid === null) throw new Error(`${name} does not run.`);
  process.kill(before.pid, 'SIGKILL');
  return async () => {
    await eventually(
      async () => {
        const now = await viewOf(layout, name);
        return now.phase === 'ready' && now.pid !== null && now.pid !== before.pid ? true : undefined;
      },
      { withinMs: 180_000, everyMs: 100 },
    );
  };
}

async function viewOf(layout: Layout, name: string) {
  const view = (await observedProcesses(layout)).find((one) => one.name === name);
  if (view === undefined) throw new Error(`The stack has no process ${name}.`);
  return view;
}
