// Waits in tests for what must come true: looks again and again until a deadline, and never just sleeps.
import { setTimeout as pause } from 'node:timers/promises';

/** How long a test waits for an API server's answer, on a machine that has other work. */
export const PATIENT_MS = 60_000;

export interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Repeats `look` until it neither throws nor gives undefined; gives what it gave. Throws its last failure at the deadline. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, patience: Patience = {}): Promise<T> {
  const { withinMs = 50_000, everyMs = 25 } = patience;
  const end = Date.now() + withinMs;
  let failure: unknown = new Error(`nothing came within ${withinMs} ms`);
  while (Date.now() < end) {
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      failure = error;
    }
    await pause(everyMs);
  }
  throw failure;
}
