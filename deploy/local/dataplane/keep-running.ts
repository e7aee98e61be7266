// Keeps a program running: starts it again with a backoff whenever it ends.
import type { ChildProcess } from 'node:child_process';

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
/** After it ran for this long, the backoff starts at its minimum again. */
const STEADY_MS = 10_000;

export interface RunningProgram {
  /** How often it ended. */
  restarts(): number;
  /**
   * Ends it: SIGTERM, and SIGKILL after the grace period in milliseconds. Resolves when it is gone. A second
   * call can only shorten the grace period.
   */
  stop(graceMs: number): Promise<void>;
}

export interface KeepOptions {
  /** Called for each end that nobody asked for, with its exit code or signal. */
  readonly onEnd: (how: string) => void;
}

export function keepRunning(start: () => ChildProcess, { onEnd }: KeepOptions): RunningProgram {
  let restarts = 0;
  let backoffMs = FIRST_BACKOFF_MS;
  let isStopping = false;
  let child: ChildProcess | null = null;
  let again: NodeJS.Timeout | null = null;
  let gone: Promise<void> = Promise.resolve();

  const run = (): void => {
    const startedAt = Date.now();
    const current = start();
    child = current;
    gone = new Promise((resolve) => {
      const ended = (how: string): void => {
        child = null;
        resolve();
        if (isStopping) return;
        restarts += 1;
        backoffMs = Date.now() - startedAt > STEADY_MS ? FIRST_BACKOFF_MS : backoffMs * 2;
        again = setTimeout(run, Math.min(backoffMs, LONGEST_BACKOFF_MS));
        onEnd(how);
      };
      current.once('error', (error) => ended(`cannot start: ${error.message}`));
      current.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    });
  };
  run();

  return {
    restarts: () => restarts,
    stop: async (graceMs) => {
      isStopping = true;
      if (again !== null) clearTimeout(again);
      const ending = child;
      if (ending === null) return gone;
      ending.kill('SIGTERM');
      const timer = setTimeout(() => ending.kill('SIGKILL'), graceMs);
      await gone;
      clearTimeout(timer);
    },
  };
}
