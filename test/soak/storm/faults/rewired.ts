// Puts a relay of the storm's on every way between processes whose address the stack tells them, and a clock
// that can jump into every process of ours.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Layout } from '../../../../deploy/local/layout.ts';
import { addProcesses, awaitReady, desiredProcesses } from '../../../../deploy/local/supervise/desired.ts';
import { Wave, type ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { temporalWay } from '../../../../testbed/temporal-way.ts';
import { startRelay, type Relay } from './relay.ts';

/** A way from one process to another. */
export interface Link extends Relay {
  /** Such as `bridge → temporal`. */
  readonly name: string;
  readonly from: string;
}

export interface Rewired {
  readonly links: readonly Link[];
  /** Sets the clock of a process of ours ahead, or back; 0 is the machine's time. */
  shiftClock(process: string, ms: number): void;
  /** How a process runs in the build that the storm ends with. Throws if the stack has no such process. */
  today(process: string): ProcessSpec;
  /** Gives every process its own way and clock again. */
  restore(): Promise<void>;
}

/** After the name of a kubeconfig that leads through a relay. */
const OWN = '.storm';
const CLOCK = join(import.meta.dirname, 'shifted-clock.ts');
const ETCD = /^--etcd-servers=http:\/\/127\.0\.0\.1:(\d+)$/;

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { server: string } }[];
}

/** Restarts them, one after the other; each of ours as `begin` has it. */
export async function rewire(
  layout: Layout,
  begin: (spec: ProcessSpec) => ProcessSpec = (spec) => spec,
): Promise<Rewired> {
  const before = await desiredProcesses(layout);
  const links: Link[] = [];
  const clocks = new Map<string, string>();
  const link = async (from: string, to: string, port: number): Promise<number> => {
    const relay = await startRelay(port);
    links.push(Object.assign(relay, { name: `${from} → ${to}`, from }));
    return relay.port;
  };
  const changed: ProcessSpec[] = [];
  for (const spec of before) {
    const isOurs = spec.wave === Wave.ours;
    if (isOurs) clocks.set(spec.name, layout.dataOf(`${spec.name}.clock`));
    const next = isOurs ? await ofOurs(layout, spec, link) : await ofServer(spec, link);
    if (next !== null) changed.push(next);
  }
  await replace(
    layout,
    changed.map((spec) => (spec.wave === Wave.ours ? begin(spec) : spec)),
  );
  return {
    links,
    today: (name) => named(changed, name),
    shiftClock: (name, ms) => {
      const file = clocks.get(name);
      if (file === undefined) throw new Error(`${name} has no clock that can be set.`);
      writeFileSync(file, String(ms));
    },
    restore: async () => {
      await replace(
        layout,
        before.filter(({ name }) => changed.some((one) => one.name === name)),
      );
      const configs = changed
        .map(({ env }) => env?.['KUBECONFIG'] ?? '')
        .filter((file) => file.endsWith(OWN));
      for (const file of [...clocks.values(), ...configs]) rmSync(file, { force: true });
      await Promise.all(links.map((one) => one.stop()));
    },
  };
}

function named(specs: readonly ProcessSpec[], name: string): ProcessSpec {
  const spec = specs.find((one) => one.name === name);
  if (spec === undefined) throw new Error(`The stack has no process ${name}.`);
  return spec;
}

type MakeLink = (from: string, to: string, port: number) => Promise<number>;

async function ofOurs(layout: Layout, spec: ProcessSpec, link: MakeLink): Promise<ProcessSpec> {
  const env: Record<string, string> = { ...spec.env, STORM_CLOCK: layout.dataOf(`${spec.name}.clock`) };
  const { KUBECONFIG: kubeconfig } = env;
  if (kubeconfig !== undefined) {
    const config = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
    for (const { cluster } of config.clusters) {
      const url = new URL(cluster.server);
      url.port = String(await link(spec.name, 'API server', Number(url.port)));
      cluster.server = url.href.replace(/\/$/, '');
    }
    env['KUBECONFIG'] = kubeconfig + OWN;
    writeFileSync(env['KUBECONFIG'], stringify(config), { mode: 0o600 });
  }
  const way = temporalWay(spec);
  if (way !== null) {
    const [host = '', port = ''] = way.address.split(':');
    const to = isAgent(spec) ? 'gateway' : 'temporal';
    env[way.variable] = `${host}:${await link(spec.name, to, Number(port))}`;
  } else if (isAgent(spec))
    throw new Error(`${spec.name} is told of no gateway that it could be cut off from.`);
  return { ...spec, args: ['--import', CLOCK, ...spec.args], env };
}

function isAgent({ name }: ProcessSpec): boolean {
  return name.endsWith('-agent');
}

/** An API server has its own way to etcd. Null for others, whose addresses are not told by the stack. */
async function ofServer(spec: ProcessSpec, link: MakeLink): Promise<ProcessSpec | null> {
  const port = spec.args.map((arg) => ETCD.exec(arg)?.[1]).find((one) => one !== undefined);
  if (port === undefined) return null;
  const own = await link(spec.name, 'etcd', Number(port));
  return { ...spec, args: spec.args.map((arg) => (ETCD.test(arg) ? arg.replace(/\d+$/, String(own)) : arg)) };
}

/** One after the other, servers first. */
async function replace(layout: Layout, specs: readonly ProcessSpec[]): Promise<void> {
  for (const spec of specs.toSorted((a, b) => a.wave - b.wave)) {
    await addProcesses(layout, [spec]);
    await awaitReady(layout, [spec]);
  }
}
