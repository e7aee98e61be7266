// Finds and ends the processes of a stack. Each has the stack's folder and its own name in its environment.
//
// Unlike a pid file, an environment cannot be lost, become stale or name another program's process.
import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { folderId } from './folder-id.ts';
import { specText, type ProcessSpec } from './process-spec.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const STACK = 'CAPPSTAN_STACK';
const FOLDER = 'CAPPSTAN_FOLDER';
const PROCESS = 'CAPPSTAN_PROCESS';
const SPEC = 'CAPPSTAN_SPEC';

export const SUPERVISOR = 'supervisor';

export interface StackProcess {
  readonly pid: number;
  readonly name: string;
  /** The stack's folder, by the path that was given when it was started. */
  readonly folder: string;
  /** Hash of the spec it was started with. */
  readonly spec: string;
}

export function specHash(spec: ProcessSpec): string {
  return createHash('sha256').update(specText(spec)).digest('hex').slice(0, 16);
}

/** The environment variables that identify a process. `dir` is the stack's folder, absolute. */
export function stackEnvironment(dir: string, name: string, spec: string): Record<string, string> {
  return { [STACK]: dir, [FOLDER]: folderId(dir) ?? '', [PROCESS]: name, [SPEC]: spec };
}

/**
 * All running processes of the stack, by pid, whichever path leads to its folder. Those of other users only
 * root finds.
 */
export async function stackProcesses(dir: string): Promise<StackProcess[]> {
  const stack = { dir, id: folderId(dir) };
  const found = await Promise.all((await allPids()).map((pid) => readStackProcess(pid, stack)));
  return found.filter((process) => process !== null);
}

/**
 * The folders of all stacks of which something runs, as the processes say: root finds those of other users
 * too, whose word about a folder is no reason to believe what is in it.
 */
export async function stackFolders(): Promise<ReadonlySet<string>> {
  const all = await Promise.all((await allPids()).map(readEnvironment));
  return new Set(all.map((lines) => valueOf(STACK, lines)).filter((dir) => dir !== null));
}

async function allPids(): Promise<readonly number[]> {
  return (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
}

/** Whether the pid still belongs to this process. */
export async function isSameProcess(process: StackProcess, dir: string): Promise<boolean> {
  const now = await readStackProcess(process.pid, { dir, id: folderId(dir) });
  return now !== null && now.name === process.name && now.spec === process.spec;
}

async function readStackProcess(
  pid: number,
  { dir, id }: { readonly dir: string; readonly id: string | null },
): Promise<StackProcess | null> {
  const lines = await readEnvironment(pid);
  const [name, folder] = [valueOf(PROCESS, lines), valueOf(STACK, lines)];
  if (name === null || folder === null) return null;
  if (folder !== dir && (id === null || valueOf(FOLDER, lines) !== id)) return null;
  return { pid, name, folder, spec: valueOf(SPEC, lines) ?? '' };
}

/** Of an environment. */
function valueOf(key: string, lines: readonly string[]): string | null {
  return lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? null;
}

/** Empty for a process that is gone, a zombie, the kernel's, or another user's. */
async function readEnvironment(pid: number): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  } catch {
    return [];
  }
}

/** Signals a process group. Ignores a group that is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 1) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

/**
 * Ends these processes of a stack and their descendants: SIGTERM, and SIGKILL after the grace period.
 * Resolves when all are gone.
 */
export async function endProcesses(
  dir: string,
  processes: readonly StackProcess[],
  graceMs = 5000,
): Promise<void> {
  const left = async (): Promise<StackProcess[]> => {
    const living = await stackProcesses(dir);
    return processes.filter(({ pid, name }) =>
      living.some((other) => other.pid === pid && other.name === name),
    );
  };
  for (const { pid } of processes) {
    signalGroup(pid, 'SIGTERM');
    signalGroup(pid, 'SIGCONT');
  }
  const deadline = Date.now() + graceMs;
  while ((await left()).length > 0) {
    if (Date.now() > deadline) for (const { pid } of await left()) signalGroup(pid, 'SIGKILL');
    await sleep(50);
  }
}
