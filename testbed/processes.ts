// Controls the processes of a stack in tests: reads their state, signals, stops and starts them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildView } from '../deploy/local/supervise/child.ts';
import {
  awaitReady,
  observedProcesses,
  addProcesses,
  desiredProcesses,
  keepOnly,
} from '../deploy/local/supervise/desired.ts';
import { signalGroup } from '../deploy/local/supervise/stack-processes.ts';
import type { Layout } from '../deploy/local/layout.ts';
import type { ProcessSpec } from '../deploy/local/supervise/process-spec.ts';

/** The supervisor's last state of this process. Throws when the stack has no such process. */
export async function processOf(layout: Layout, name: string): Promise<ChildView> {
  const views = await observedProcesses(layout);
  const view = views.find((one) => one.name === name);
  if (view === undefined)
    throw new Error(
      `The stack in ${layout.dir} has no process ${name}. It has ${views.map((one) => one.name).join(', ')}.`,
    );
  return view;
}

/**
 * Signals the process and its descendants, and returns its pid. SIGSTOP stops it until SIGCONT. The
 * supervisor restarts it when a signal ends it.
 */
export async function signalProcess(layout: Layout, name: string, signal: NodeJS.Signals): Promise<number> {
  const { pid } = await processOf(layout, name);
  if (pid === null) throw new Error(`${name} does not run.`);
  signalGroup(pid, signal);
  return pid;
}

/** Waits until the process is ready with another pid. Throws after `timeoutMs`. */
export async function awaitRestart(
  layout: Layout,
  name: string,
  { pid, timeoutMs }: { pid: number; timeoutMs: number },
): Promise<ChildView> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const view = await processOf(layout, name);
    if (view.phase === 'ready' && view.pid !== pid) return view;
    if (Date.now() > deadline)
      throw new Error(
        `${name} has not restarted after ${timeoutMs} ms: its phase is ${view.phase} (${view.lastEnd}).`,
      );
    await sleep(20);
  }
}

/** Stops the process. Returns its spec for `startProcess`. Resolves when the process is gone. */
export async function stopProcess(layout: Layout, name: string): Promise<ProcessSpec> {
  const all = await desiredProcesses(layout);
  const spec = all.find((one) => one.name === name);
  if (spec === undefined) throw new Error(`The stack in ${layout.dir} has no process ${name}.`);
  const others = all.map((one) => one.name).filter((one) => one !== name);
  await keepOnly(layout, others);
  while ((await observedProcesses(layout)).some((view) => view.name === name)) await sleep(20);
  return spec;
}

/** Starts a process in the stack. Resolves when it is ready. */
export async function startProcess(layout: Layout, spec: ProcessSpec): Promise<void> {
  await addProcesses(layout, [spec]);
  await awaitReady(layout, [spec]);
}
