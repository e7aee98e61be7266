// Stops a stack so that no process of it is left, whatever state it is in, and forgets its data when asked to.
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { desiredFile, processesFile } from './supervise/desired.ts';
import { endProcesses, signalGroup } from './supervise/end-processes.ts';
import { layoutOf } from './layout.ts';
import { hold, upLock } from './supervise/lock.ts';
import { markedProcesses, SUPERVISOR } from './supervise/environment.ts';

/** As long as four waves of processes may take that each have to be killed in the end. */
const SUPERVISOR_GRACE_MS = 40_000;

/** Returns how many processes there were. `note` hears how many are left. Safe to repeat. Throws while a start is under way there. */
export async function stopStack(folder: string, note: (detail: string) => void = () => undefined): Promise<number> {
  const layout = layoutOf(folder);
  const lock = await hold(upLock(layout.dir));
  if (lock === null) throw new Error(`A start is under way in ${layout.dir}: interrupt it first, or wait for it.`);
  try {
    const all = await markedProcesses(layout.dir);
    for (const { pid } of all.filter(({ name }) => name === SUPERVISOR)) {
      signalGroup(pid, 'SIGTERM');
      signalGroup(pid, 'SIGCONT');
      await untilGone(layout.dir, note);
      // It would start again what is stopped below.
      signalGroup(pid, 'SIGKILL');
    }
    await endProcesses(layout.dir, await markedProcesses(layout.dir));
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
    const left = await markedProcesses(dir);
    if (!left.some(({ name }) => name === SUPERVISOR) || Date.now() > deadline) return;
    note(`${left.length} left`);
    await sleep(100);
  }
}

/** Removes what a stack has written in its folder, and the folder if nothing else is in it. The stack must be stopped. */
export async function forgetStack(folder: string): Promise<void> {
  const { dir, state, data, logs, env } = layoutOf(folder);
  const entries = await readdir(dir).catch(() => []);
  const kubeconfigs = entries.filter((entry) => entry.endsWith('.kubeconfig')).map((entry) => join(dir, entry));
  await Promise.all([state, data, logs, env, ...kubeconfigs].map((path) => rm(path, { recursive: true, force: true })));
  await rmdir(dir).catch(() => undefined);
}
