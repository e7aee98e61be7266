// Which processes of this machine belong to a stack: each carries the stack's folder and its own name in its environment.
//
// A mark cannot be lost, go stale or point to a stranger as a pid file can, so whatever was killed, all that is left is found.
import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { specText, type ProcessSpec } from './process-spec.ts';

const STACK = 'CAPPSTAN_STACK';
const PROCESS = 'CAPPSTAN_PROCESS';
const SPEC = 'CAPPSTAN_SPEC';

export const SUPERVISOR = 'supervisor';

export interface MarkedProcess {
  readonly pid: number;
  readonly name: string;
  /** Hash of the spec it was started with. */
  readonly spec: string;
}

export function specHash(spec: ProcessSpec): string {
  return createHash('sha256').update(specText(spec)).digest('hex').slice(0, 16);
}

/** The environment variables that mark a process. `dir` is the stack's folder, absolute. */
export function marks(dir: string, name: string, spec: string): Record<string, string> {
  return { [STACK]: dir, [PROCESS]: name, [SPEC]: spec };
}

/** Every living process of the stack, in the order of their pids. Processes of other users are not seen. */
export async function markedProcesses(dir: string): Promise<MarkedProcess[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(pids.map((pid) => readMarks(pid, dir)));
  return found.filter((process) => process !== null);
}

/** Whether this pid is still the same marked process. */
export async function isStill(process: MarkedProcess, dir: string): Promise<boolean> {
  const now = await readMarks(process.pid, dir);
  return now !== null && now.name === process.name && now.spec === process.spec;
}

async function readMarks(pid: number, dir: string): Promise<MarkedProcess | null> {
  const lines = await readEnvironment(pid);
  const value = (key: string): string | null => lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? null;
  const name = value(PROCESS);
  if (value(STACK) !== dir || name === null) return null;
  return { pid, name, spec: value(SPEC) ?? '' };
}

/** Empty for a process that is gone, a zombie, the kernel's or another user's. */
async function readEnvironment(pid: number): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  } catch {
    return [];
  }
}
