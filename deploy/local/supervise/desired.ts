// The two files between the supervisor and its clients, desired and observed processes, and the client's
// functions.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildView } from './child.ts';
import { signalGroup, stackProcesses, stackEnvironment, specHash, SUPERVISOR } from './stack-processes.ts';
import { readJson, writeJson } from './json-file.ts';
import type { Layout } from '../layout.ts';
import { isHeld, supervisorLock } from './lock.ts';
import { isFree } from './ports.ts';
import { addressesOf, type Address, type ProcessSpec } from './process-spec.ts';

/** Node starts our processes several times faster with it. It is deleted with node_modules. */
const COMPILE_CACHE = resolve(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'node');

export interface Desired {
  readonly processes: readonly ProcessSpec[];
}

export interface Observed {
  readonly supervisor: number;
  readonly processes: readonly ChildView[];
}

export const desiredFile = (layout: Layout): string => join(layout.state, 'desired.json');
export const processesFile = (layout: Layout): string => join(layout.state, 'processes.json');

/**
 * Starts the supervisor unless it runs, and continues processes that were stopped by SIGSTOP. If no process
 * of the stack runs, the list of desired processes is emptied first. The supervisor stops all processes when
 * the pid `owner` is gone.
 */
export async function ensureSupervisor(layout: Layout, owner: number | null): Promise<void> {
  const running = await stackProcesses(layout.dir);
  for (const { pid } of running) signalGroup(pid, 'SIGCONT');
  if (await isHeld(supervisorLock(layout.dir))) return;
  if (running.length === 0) rmSync(desiredFile(layout), { force: true });
  rmSync(processesFile(layout), { force: true });
  mkdirSync(layout.logs, { recursive: true });
  const log = openSync(layout.logOf(SUPERVISOR), 'a', 0o600);
  const main = join(import.meta.dirname, 'supervisor.ts');
  const child = spawn(process.execPath, [main, layout.dir, ...(owner === null ? [] : [String(owner)])], {
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      ...stackEnvironment(layout.dir, SUPERVISOR, ''),
    },
  });
  child.unref();
  closeSync(log);
  const deadline = Date.now() + 20_000;
  while (!existsSync(processesFile(layout))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The supervisor did not start. See ${layout.logOf(SUPERVISOR)}.`);
    }
    await sleep(50);
  }
}

const OF_A_STACK =
  'Stop that program (ss -ltnp shows it), or run "make down CLEAN=1", which deletes the stack’s data and lets it choose other ports.';

/**
 * Adds these to the desired processes; one with the same name is replaced.
 * Throws when another program uses a port of a process that does not run yet; `remedyFor` ends the message.
 */
export async function addProcesses(
  layout: Layout,
  specs: readonly ProcessSpec[],
  remedyFor: (taken: Address) => string = () => OF_A_STACK,
): Promise<void> {
  const before = (await desiredProcesses(layout)).filter(
    (spec) => !specs.some(({ name }) => name === spec.name),
  );
  await refuseTakenPorts(layout, specs, remedyFor);
  writeJson(desiredFile(layout), { processes: [...before, ...specs] } satisfies Desired);
}

/** Stops all desired processes except these. */
export async function keepOnly(layout: Layout, names: readonly string[]): Promise<void> {
  const all = await desiredProcesses(layout);
  const kept = all.filter(({ name }) => names.includes(name));
  if (kept.length !== all.length) writeJson(desiredFile(layout), { processes: kept } satisfies Desired);
}

export async function desiredProcesses(layout: Layout): Promise<readonly ProcessSpec[]> {
  return (await readJson<Desired>(desiredFile(layout)))?.processes ?? [];
}

export async function observedProcesses(layout: Layout): Promise<readonly ChildView[]> {
  return (await readJson<Observed>(processesFile(layout)))?.processes ?? [];
}

/**
 * Waits until each of these runs with its spec and is ready. Throws after `timeoutMs`, or when one has ended
 * five times meanwhile; the message has the process and the end of its log.
 */
export async function awaitReady(
  layout: Layout,
  specs: readonly ProcessSpec[],
  timeoutMs = 180_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const before = new Map((await observedProcesses(layout)).map((view) => [view.name, view.restarts]));
  for (;;) {
    const views = await observedProcesses(layout);
    const viewOf = (spec: ProcessSpec): ChildView | undefined =>
      views.find(({ name, spec: hash }) => name === spec.name && hash === specHash(spec));
    const waiting = specs.filter((spec) => viewOf(spec)?.phase !== 'ready');
    if (waiting.length === 0) return;
    const failing = waiting.find((spec) => (viewOf(spec)?.restarts ?? 0) - (before.get(spec.name) ?? 0) >= 5);
    const late = Date.now() > deadline ? waiting[0] : undefined;
    const failed = failing ?? late;
    if (failed !== undefined) throw new Error(await failureOf(layout, failed, viewOf(failed)));
    await sleep(50);
  }
}

async function refuseTakenPorts(
  layout: Layout,
  specs: readonly ProcessSpec[],
  remedyFor: (taken: Address) => string,
): Promise<void> {
  for (const spec of specs) {
    const taken = await takenBy(spec);
    if (taken === null) continue;
    // Looked at afterwards: the supervisor may have restarted the process just now, and then the port is its
    // own.
    const running = await stackProcesses(layout.dir);
    if (running.some(({ name }) => name === spec.name)) continue;
    throw new Error(
      `Port ${taken.port} on ${taken.host}, which ${spec.name} uses, is taken by another program. ${remedyFor(taken)}`,
    );
  }
}

/** An address of the process at which something listens already, or null. */
async function takenBy(spec: ProcessSpec): Promise<Address | null> {
  for (const address of addressesOf(spec)) if (!(await isFree(address.port, address.host))) return address;
  return null;
}

async function failureOf(layout: Layout, spec: ProcessSpec, view: ChildView | undefined): Promise<string> {
  const log = layout.logOf(spec.name);
  const text = await readFile(log, 'utf8').catch(() => '');
  const end = text.trimEnd().split('\n').slice(-5).join('\n');
  const state =
    view?.lastEnd == null
      ? 'did not become ready'
      : `keeps ending (${view.lastEnd}, ${view.restarts} restarts)`;
  return `${spec.name} ${state}. The end of ${log}:\n${end}`;
}
