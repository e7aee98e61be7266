// `cappstan hub` as a person starts it, in a directory of its own, on loopback.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { SeenHub } from '../../../../deploy/hub/hubs/look.ts';
import {
  begin,
  environmentOf,
  pidIn,
  removed,
  saysOf,
  stopped,
  type Begun,
  type Ended,
  type HubProgram,
} from './begun.ts';

const MAIN = resolve(import.meta.dirname, '../../../../deploy/hub/main.ts');

/** Runs the command until it ends by itself. */
export async function runHubCommand(args: readonly string[]): Promise<Ended> {
  return begin('hub', args, BESIDE).ended;
}

/** What `cappstan hubs` gives to programs of the hub in this directory. */
export async function hubListed(dir: string, { command, env }: HubProgram): Promise<SeenHub | undefined> {
  const [file, ...before] = command;
  const args = [...before, 'hubs', '-o', 'json'];
  const { stdout } = await promisify(execFile)(file, args, { env: environmentOf(env) });
  return (JSON.parse(stdout) as SeenHub[]).find(({ dataDirectory }) => dataDirectory === dir);
}

export interface HubCommand {
  readonly dir: string;
  readonly args: readonly string[];
  /** The administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Resolves when it says that the hub runs, or something else that it is started for. */
  start(until?: string): Promise<void>;
  /** Resolves when the running command says so. */
  says(text: string): Promise<void>;
  /** The signal goes to the command alone; all processes of the hub end with it. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  pidOf(process: string): Promise<number>;
  /** The same hub with more flags, for its next start. */
  with(flags: readonly string[]): HubCommand;
  /** Ends what is left, and deletes the directory. */
  remove(): Promise<void>;
}

/** In a checkout. */
export const BESIDE: HubProgram = { command: [process.execPath, MAIN] };

export function hubCommand(
  ports: { readonly api: number; readonly gateway: number },
  program: HubProgram = BESIDE,
): HubCommand {
  const dir = join(mkdtempSync(join(tmpdir(), 'hub-command-')), 'hub');
  const doors = ['--port', String(ports.api), '--gateway-port', String(ports.gateway)];
  return hubCommandWith(dir, ['--data-dir', dir, '--bind-address', '127.0.0.1', ...doors], program);
}

/** With these arguments, of which the data directory is one. */
export function hubCommandWith(
  dir: string,
  args: readonly string[],
  { command = BESIDE.command, env }: Partial<HubProgram>,
): HubCommand {
  const program = { command, ...(env === undefined ? {} : { env }) };
  let running: Begun | null = null;
  return {
    dir,
    args,
    kubeconfig: join(dir, 'cert', 'kube-aggregator.kubeconfig'),
    start: async (until = 'The hub is running') => {
      running = begin('hub', args, program);
      await saysOf(running, until);
    },
    says: async (text) => {
      if (running === null) throw new Error('The hub was not started.');
      await saysOf(running, text);
    },
    stop: (signal) => stopped(running, dir, signal),
    pidOf: (name) => pidIn(dir, name),
    with: (flags) => hubCommandWith(dir, [...args, ...flags], program),
    remove: () => removed(running, dir),
  };
}
