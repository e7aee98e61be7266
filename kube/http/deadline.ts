// Deadlines: for work that can be aborted, and for work that can only be abandoned.
import { deferred } from '../deferred.ts';

/** What an expired limit aborts with. */
export const EXPIRED = new Error('The deadline has passed');

export interface Limits {
  /** In milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The bounds of a piece of work: it ends by `until` (milliseconds since the epoch), or at once, with the
 * signal's reason, when the signal aborts.
 */
export interface Bounds {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Removes its timer and listener however it ends, because outer signals live long. */
export async function within<T>(
  { deadlineMs, signal }: Limits,
  body: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(EXPIRED), deadlineMs);
  const follow = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', follow, { once: true });
  if (signal?.aborted === true) follow();
  try {
    return await body(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  }
}

/** Rejects with the signal's reason when it aborts. The work itself goes on. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = deferred<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
