// A number of places for work that goes on at once. What finds none waits for one, in its order.

export type WorkPlaces = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Rejects with the signal's reason while it waits. */
export function places(most: number): WorkPlaces {
  let free = most;
  const waiting: (() => void)[] = [];
  const taken = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(come), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error('Withdrawn'));
      };
      const come = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.push(come);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  return async (signal, work) => {
    await taken(signal);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
