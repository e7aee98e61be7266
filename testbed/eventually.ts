// Polls a condition in tests until a deadline.
import { setTimeout as pause } from 'node:timers/promises';

/** Deadline of a request to an API server in tests, for a busy machine. */
export const API_TIMEOUT_MS = 60_000;

export interface EventuallyOptions {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Repeats `look` until it returns a value and does not throw. Returns the value. Throws the last error at the
 * deadline. `undefined` alone means not yet: null and false are refused by type, because they would end the
 * wait.
 */
export async function eventually<T extends object | string | number | bigint | true>(
  look: () => Promise<T | undefined> | T | undefined,
  options: EventuallyOptions = {},
): Promise<T> {
  const { withinMs = 100_000, everyMs = 25 } = options;
  const end = Date.now() + withinMs;
  let failure: unknown = new Error(`The condition did not become true within ${withinMs} ms.`);
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
