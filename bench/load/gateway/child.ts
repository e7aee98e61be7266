// A part of the measurement as a process of its own, which says when it is ready and what it has seen.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface BenchChild {
  /** Ends it. Resolves to what it said last, or null. A second call waits for the first. */
  stop(): Promise<unknown>;
}

/** Runs a file of this folder until it says that it is ready. Throws when it ends before. */
export async function startChild(
  file: 'agent.ts' | 'flooder.ts',
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<BenchChild> {
  const child = fork(join(import.meta.dirname, file), args, { env: { ...process.env, ...env } });
  const exit = once(child, 'exit');
  let said: unknown = null;
  const first = once(child, 'message');
  child.on('message', (message) => (said = message));
  const isReady = await Promise.race([first.then(() => true), exit.then(() => false)]);
  if (!isReady) throw new Error(`bench/load/gateway/${file} has ended before it was ready.`);
  said = null;
  const end = async (): Promise<unknown> => {
    child.kill('SIGTERM');
    await exit;
    return said;
  };
  let ended: Promise<unknown> | undefined;
  return { stop: () => (ended ??= end()) };
}

/** Told by the child. */
export function sayReady(): void {
  process.send?.('ready');
}

/** Told by the child, before it ends. */
export function sayLast(seen: object): void {
  process.send?.(seen);
}
