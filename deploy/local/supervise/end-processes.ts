// Ends processes and their descendants: politely first, for good after a while.
import { setTimeout as sleep } from 'node:timers/promises';
import { markedProcesses, type MarkedProcess } from './environment.ts';

/** Signals a whole process group. Safe to repeat: a group that is gone is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 1) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}

/** Ends these processes of a stack, wherever they came from. Resolves when none is left. */
export async function endProcesses(dir: string, processes: readonly MarkedProcess[], graceMs = 5000): Promise<void> {
  const left = async (): Promise<MarkedProcess[]> => {
    const living = await markedProcesses(dir);
    return processes.filter(({ pid, name }) => living.some((other) => other.pid === pid && other.name === name));
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
