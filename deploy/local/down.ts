// `make down`: stops every process of a stack, whatever state the stack is in. CLEAN=1 also deletes its data.
import { duration, runCommand, type Progress } from './terminal.ts';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { desiredFile, processesFile } from './supervise/desired.ts';
import { endProcesses, signalGroup, stackProcesses, SUPERVISOR } from './supervise/stack-processes.ts';
import { layoutOf } from './layout.ts';
import { acquire, upLock } from './supervise/lock.ts';

/** Enough for four waves of processes that all ignore SIGTERM. */
const SUPERVISOR_GRACE_MS = 40_000;

/**
 * Returns the number of processes that ran. `note` is called with the number that is left. Safe to repeat.
 * Throws while `startStack` runs there.
 */
export async function stopStack(
  folder: string,
  note: (detail: string) => void = () => undefined,
): Promise<number> {
  const layout = layoutOf(folder);
  const lock = await acquire(upLock(layout.dir));
  if (lock === null)
    throw new Error(`The stack in ${layout.dir} is being started. Interrupt that, or wait for it.`);
  try {
    const all = await stackProcesses(layout.dir);
    for (const { pid } of all.filter(({ name }) => name === SUPERVISOR)) {
      signalGroup(pid, 'SIGTERM');
      signalGroup(pid, 'SIGCONT');
      await untilGone(layout.dir, note);
      // A supervisor that still runs would restart the processes that are stopped below.
      signalGroup(pid, 'SIGKILL');
    }
    await endProcesses(layout.dir, await stackProcesses(layout.dir));
    await rm(desiredFile(layout), { force: true });
    await rm(processesFile(layout), { force: true });
    return all.length;
  } finally {
    await lock.release();
  }
}

async function untilGone(dir: string, note: (detail: string) => void): Promise<void> {
  const deadline = Date.now() + SUPERVISOR_GRACE_MS;
  for (;;) {
    const left = await stackProcesses(dir);
    if (!left.some(({ name }) => name === SUPERVISOR) || Date.now() > deadline) return;
    note(`${left.length} left`);
    await sleep(100);
  }
}

/** Deletes the stack's files, and its folder if it is empty then. The stack must be stopped. */
export async function deleteStackData(folder: string): Promise<void> {
  const { dir, state, data, logs, env } = layoutOf(folder);
  const entries = await readdir(dir).catch(() => []);
  const kubeconfigs = entries
    .filter((entry) => entry.endsWith('.kubeconfig'))
    .map((entry) => join(dir, entry));
  await Promise.all(
    [state, data, logs, env, ...kubeconfigs].map((path) => rm(path, { recursive: true, force: true })),
  );
  await rmdir(dir).catch(() => undefined);
}

async function main(progress: Progress): Promise<void> {
  const dir = process.env['STATE'] || '.local';
  const startedAt = Date.now();
  const count = await progress.step('Stopping the stack', (note) => stopStack(dir, note));
  const seconds = duration((Date.now() - startedAt) / 1000);
  progress.say(
    count === 0
      ? `No process of the stack in ${dir} was running.`
      : `Stopped ${count} ${count === 1 ? 'process' : 'processes'} in ${seconds}.`,
  );
  if ((process.env['CLEAN'] ?? '') === '') return;
  await deleteStackData(dir);
  progress.say(`Deleted the data in ${dir}.`);
}

if (import.meta.main) await runCommand(main);
