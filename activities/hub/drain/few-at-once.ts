// Limits how many pieces of work run at once in this process. The others wait in order of arrival.

export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

export function fewAtOnce(limit: number): Turnstile {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The longest waiting piece of work takes this place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
