// Time limits: for what can be aborted, and for what can only be left.

/** What an expired limit aborts with. */
export const EXPIRED = new Error('The deadline has passed');

export interface Limits {
  /** In milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a piece of work has: it ends by `until`, in milliseconds since the epoch, and at once, with the signal's reason, when that aborts. */
export interface Bounds {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Leaves neither timer nor listener behind, however it ends: outer signals live long. */
export async function within<T>({ deadlineMs, signal }: Limits, body: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
