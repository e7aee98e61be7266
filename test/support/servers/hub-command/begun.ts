// A command of `cappstan` that runs until it is told to stop, as a person starts it.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stopStack } from '../../../../deploy/local/down.ts';
import { signalGroup, stackProcesses } from '../../../../deploy/local/supervise/stack-processes.ts';
import { eventually } from '../../../../testbed/eventually.ts';

const STARTS_WITHIN_MS = 240_000;
/** Where hubs are remembered: not among those of the person who runs the tests. */
const STATE_HOME = join(tmpdir(), 'cappstan-hubs-of-tests');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** What is started, and with which environment. */
export interface HubProgram {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export const environmentOf = (env: HubProgram['env']): NodeJS.ProcessEnv => ({
  ...(env ?? process.env),
  PORT_RANGE: process.env['PORT_RANGE'],
  XDG_STATE_HOME: STATE_HOME,
});

export interface Begun {
  readonly ended: Promise<Ended>;
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** Resolves when it has said so. Rejects when it ends before that, or takes too long. */
export async function saysOf({ output, ended }: Begun, text: string): Promise<void> {
  await Promise.race([
    eventually(() => (output().includes(text) ? true : undefined), {
      withinMs: STARTS_WITHIN_MS,
      everyMs: 100,
    }),
    ended.then((end) => Promise.reject(new Error(`It ended: ${end.output}`))),
  ]);
}

/** `name` is the command of `cappstan`. */
export function begin(name: string, args: readonly string[], { command, env }: HubProgram): Begun {
  const [file, ...before] = command;
  const child = spawn(file, [...before, name, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a start script is one process, and what it starts another.
    detached: true,
    env: environmentOf(env),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = new Promise<Ended>((done) => {
    child.once('close', (code) => done({ code, output: text }));
  });
  return { ended, output: () => text, signal: (signal) => signalGroup(child.pid ?? 0, signal) };
}

/** The signal goes to the command alone; resolves when no process of its data directory is left. */
export async function stopped(
  running: Begun | null,
  dir: string,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<Ended> {
  if (running === null) throw new Error(`Nothing was started in ${dir}.`);
  running.signal(signal);
  const ended = await running.ended;
  await eventually(async () => ((await stackProcesses(dir)).length === 0 ? true : undefined));
  return ended;
}

/** Of the process with this name among those of the data directory. */
export async function pidIn(dir: string, name: string): Promise<number> {
  const found = (await stackProcesses(dir)).find((process) => process.name === name);
  if (found === undefined) throw new Error(`No process ${name} runs.`);
  return found.pid;
}

/** Ends what is left, and deletes the folder in which the data directory is. */
export async function removed(running: Begun | null, dir: string): Promise<void> {
  running?.signal('SIGKILL');
  await running?.ended;
  await stopStack(dir);
  await rm(resolve(dir, '..'), { recursive: true, force: true });
}
