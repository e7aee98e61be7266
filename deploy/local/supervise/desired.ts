// What the supervisor is asked for and what it answers, as two files; and the asking side of that.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildView } from './child.ts';
import { signalGroup } from './end-processes.ts';
import { readJson, writeJson } from './json-file.ts';
import type { Layout } from '../layout.ts';
import { isHeld, supervisorLock } from './lock.ts';
import { markedProcesses, marks, specHash, SUPERVISOR } from './environment.ts';
import { isFree } from '../ports.ts';
import type { ProcessSpec } from './process-spec.ts';

/** Node starts our processes several times faster from here. Gone with node_modules. */
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
 * Starts the supervisor unless it is there, and wakes what somebody has stopped. With `owner` it stops all when that pid is gone.
 * Where nothing runs, what was wanted is forgotten first.
 */
export async function ensureSupervisor(layout: Layout, owner: number | null): Promise<void> {
  const running = await markedProcesses(layout.dir);
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
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...marks(layout.dir, SUPERVISOR, '') },
  });
  child.unref();
  closeSync(log);
  const deadline = Date.now() + 20_000;
  while (!existsSync(processesFile(layout))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The supervisor did not start: see ${layout.logOf(SUPERVISOR)}`);
    }
    await sleep(50);
  }
}

/**
 * Asks for these processes beside those already wanted; one of the same name is replaced.
 * Throws when a stranger holds a port of a process that does not run yet.
 */
export async function want(layout: Layout, specs: readonly ProcessSpec[]): Promise<void> {
  const before = (await wanted(layout)).filter((spec) => !specs.some(({ name }) => name === spec.name));
  await refuseTakenPorts(layout, specs);
  writeJson(desiredFile(layout), { processes: [...before, ...specs] } satisfies Desired);
}

/** Stops whatever is wanted and not named here. */
export async function wantOnly(layout: Layout, names: readonly string[]): Promise<void> {
  const all = await wanted(layout);
  const kept = all.filter(({ name }) => names.includes(name));
  if (kept.length !== all.length) writeJson(desiredFile(layout), { processes: kept } satisfies Desired);
}

export async function wanted(layout: Layout): Promise<readonly ProcessSpec[]> {
  return (await readJson<Desired>(desiredFile(layout)))?.processes ?? [];
}

export async function observed(layout: Layout): Promise<readonly ChildView[]> {
  return (await readJson<Observed>(processesFile(layout)))?.processes ?? [];
}

/**
 * Waits until each of these is ready as wanted, at most `timeoutMs`. Throws, naming the process and the end of its log, when one is not,
 * or as soon as one has ended five times on the way.
 */
export async function awaitReady(layout: Layout, specs: readonly ProcessSpec[], timeoutMs = 180_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const before = new Map((await observed(layout)).map((view) => [view.name, view.restarts]));
  for (;;) {
    const views = await observed(layout);
    const viewOf = (spec: ProcessSpec): ChildView | undefined =>
      views.find(({ name, spec: hash }) => name === spec.name && hash === specHash(spec));
    const waiting = specs.filter((spec) => viewOf(spec)?.phase !== 'ready');
    if (waiting.length === 0) return;
    const failing = waiting.find((spec) => (viewOf(spec)?.restarts ?? 0) - (before.get(spec.name) ?? 0) >= 5);
    const late = Date.now() > deadline ? waiting[0] : undefined;
    const culprit = failing ?? late;
    if (culprit !== undefined) throw new Error(await complaint(layout, culprit, viewOf(culprit)));
    await sleep(50);
  }
}

async function refuseTakenPorts(layout: Layout, specs: readonly ProcessSpec[]): Promise<void> {
  const running = await markedProcesses(layout.dir);
  const fresh = specs.filter((spec) => !running.some(({ name }) => name === spec.name));
  for (const spec of fresh) {
    for (const port of spec.ports) {
      if (await isFree(port)) continue;
      throw new Error(
        `Port ${port} on 127.0.0.1, which ${spec.name} of this stack uses, is taken by another program: stop that (ss -ltnp shows it), ` +
          'or let the stack choose other ports with "make down CLEAN=1", which forgets its data.',
      );
    }
  }
}

async function complaint(layout: Layout, spec: ProcessSpec, view: ChildView | undefined): Promise<string> {
  const log = layout.logOf(spec.name);
  const text = await readFile(log, 'utf8').catch(() => '');
  const end = text.trimEnd().split('\n').slice(-5).join('\n');
  const state = view?.lastEnd == null ? 'does not become ready' : `does not stay up (${view.lastEnd}, ${view.restarts} restarts)`;
  return `${spec.name} ${state}. The end of ${log}:\n${end}`;
}
