// A test's hand on the processes of any supervised folder: looks at them, kills or freezes one, takes one away and brings it back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildView } from '../deploy/local/supervise/child.ts';
import { awaitReady, observedProcesses, addProcesses, desiredProcesses, keepOnly } from '../deploy/local/supervise/desired.ts';
import { signalGroup } from '../deploy/local/supervise/stack-processes.ts';
import type { Layout } from '../deploy/local/layout.ts';
import type { ProcessSpec } from '../deploy/local/supervise/process-spec.ts';

/** The process of this name as the supervisor last saw it. Throws when the stack has none. */
export async function processOf(layout: Layout, name: string): Promise<ChildView> {
  const views = await observedProcesses(layout);
  const view = views.find((one) => one.name === name);
  if (view === undefined) throw new Error(`${layout.dir} has no process ${name}, only ${views.map((one) => one.name).join(', ')}`);
  return view;
}

/** Signals it and its descendants. Returns the pid it had. SIGSTOP freezes, until SIGCONT; anything that ends it makes it start again. */
export async function signalProcess(layout: Layout, name: string, signal: NodeJS.Signals): Promise<number> {
  const { pid } = await processOf(layout, name);
  if (pid === null) throw new Error(`${name} is not running`);
  signalGroup(pid, signal);
  return pid;
}

/** Waits until it is ready with another pid than this one. Throws after `timeoutMs`. */
export async function awaitRestart(
  layout: Layout,
  name: string,
  { pid, timeoutMs }: { pid: number; timeoutMs: number },
): Promise<ChildView> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const view = await processOf(layout, name);
    if (view.phase === 'ready' && view.pid !== pid) return view;
    if (Date.now() > deadline) throw new Error(`${name} has not come back after ${timeoutMs} ms: it is ${view.phase} (${view.lastEnd})`);
    await sleep(20);
  }
}

/** Stops it for good. Returns its spec, with which `restore` brings it back. Resolves when it is gone. */
export async function takeAway(layout: Layout, name: string): Promise<ProcessSpec> {
  const all = await desiredProcesses(layout);
  const spec = all.find((one) => one.name === name);
  if (spec === undefined) throw new Error(`${layout.dir} has no process ${name}`);
  const others = all.map((one) => one.name).filter((one) => one !== name);
  await keepOnly(layout, others);
  while ((await observedProcesses(layout)).some((view) => view.name === name)) await sleep(20);
  return spec;
}

/** Starts what was taken away, or anything else, in the same stack. Resolves when it is ready. */
export async function restore(layout: Layout, spec: ProcessSpec): Promise<void> {
  await addProcesses(layout, [spec]);
  await awaitReady(layout, [spec]);
}
