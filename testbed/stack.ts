// The running stack that end-to-end tests use: clients for its clusters and Temporal, and a hand on its processes.
import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { observedProcesses } from '../deploy/local/supervise/desired.ts';
import { layoutOf, type Layout } from '../deploy/local/layout.ts';
import { connect, type Kube } from '../kube/client.ts';
import { eventually, PATIENT_MS } from './eventually.ts';

export interface Stack {
  readonly layout: Layout;
  readonly hub: Kube;
  /** The API server of the hub or of a site, by name. */
  cluster(name: string): Kube;
  /** A site's API server, by the site's name. */
  site(name: string): Kube;
  readonly sites: readonly string[];
  readonly temporal: Client;
  /** host:port of Temporal's frontend. */
  readonly temporalAddress: string;
  /** Ends a process at once and waits until the supervisor has another one ready in its place. */
  kill(process: string): Promise<void>;
  /** Ends a process at once; resolves with a wait for the one that takes its place. */
  killNow(process: string): Promise<() => Promise<void>>;
  /** Holds a process still (SIGSTOP) while something is done. */
  freeze(process: string, meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stack whose folder `CAPPSTAN_STACK` names; `make test` starts one for its run. */
export async function openStack(): Promise<Stack> {
  const folder = process.env['CAPPSTAN_STACK'];
  if (folder === undefined) throw new Error('CAPPSTAN_STACK names no stack: run `make test-e2e`, or set it to .local while `make up` runs');
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
  const kubes = new Map(['hub', ...names].map((name) => [name, connect({ kubeconfig: layout.kubeconfig(name), deadlineMs: PATIENT_MS })]));
  const kubeOf = (name: string): Kube => {
    const kube = kubes.get(name);
    if (kube === undefined) throw new Error(`The stack has no cluster ${name}`);
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
    killNow,
    kill: async (name) => (await killNow(name))(),
    freeze: async (name, meanwhile) => {
      const { pid } = await viewOf(layout, name);
      if (pid === null) throw new Error(`${name} does not run`);
      process.kill(pid, 'SIGSTOP');
      await meanwhile().finally(() => process.kill(pid, 'SIGCONT'));
    },
    close: async () => {
      await connection.close();
      await Promise.all([...kubes.values()].map((kube) => kube.close()));
    },
  };
}

async function killProcess(layout: Layout, name: string): Promise<() => Promise<void>> {
  const before = await viewOf(layout, name);
  if (before.pid === null) throw new Error(`${name} does not run`);
  process.kill(before.pid, 'SIGKILL');
  return async () => {
    await eventually(
      async () => {
        const now = await viewOf(layout, name);
        return now.phase === 'ready' && now.pid !== null && now.pid !== before.pid ? true : undefined;
      },
      { withinMs: 60_000, everyMs: 100 },
    );
  };
}

async function viewOf(layout: Layout, name: string) {
  const view = (await observedProcesses(layout)).find((one) => one.name === name);
  if (view === undefined) throw new Error(`The stack has no process ${name}`);
  return view;
}
