// A number of places for work that goes on at once. What finds none waits for one, in its order, and not for
// ever. No owner has all places: one whose work is slow would have everybody wait.

export type WorkPlaces = <T>(asking: AskedPlace, work: () => Promise<T>) => Promise<T>;

export interface AskedPlace {
  /** Whose work it is. */
  readonly owner: string;
  /** How long it may wait, in milliseconds. */
  readonly longestMs: number;
  readonly signal: AbortSignal;
}

/** No place came free in time: the work was not begun. */
export class NoPlace extends Error {
  constructor() {
    super('No place came free in time');
    this.name = 'NoPlace';
  }
}

interface Waiting {
  readonly owner: string;
  readonly come: () => void;
}

/** Rejects with the signal's reason while it waits, and with NoPlace after that. */
export function places(most: number, mostOfOwner: number): WorkPlaces {
  const taken = new Map<string, number>();
  const waiting: Waiting[] = [];
  let free = most;
  const of = (owner: string): number => taken.get(owner) ?? 0;
  const take = (owner: string): void => {
    free -= 1;
    taken.set(owner, of(owner) + 1);
  };
  const giveBack = (owner: string): void => {
    free += 1;
    if (of(owner) === 1) taken.delete(owner);
    else taken.set(owner, of(owner) - 1);
    const next = waiting.findIndex((one) => of(one.owner) < mostOfOwner);
    if (next !== -1) waiting.splice(next, 1)[0]?.come();
  };
  const placed = async ({ owner, longestMs, signal }: AskedPlace): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0 && of(owner) < mostOfOwner) return take(owner);
    await new Promise<void>((resolve, reject) => {
      const leave = (why: unknown): void => {
        waiting.splice(waiting.indexOf(own), 1);
        end();
        reject(why instanceof Error ? why : new Error('Withdrawn'));
      };
      const withdraw = (): void => leave(signal.reason);
      const timer = setTimeout(() => leave(new NoPlace()), longestMs);
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', withdraw);
      };
      const come = (): void => {
        end();
        take(owner);
        resolve();
      };
      const own = { owner, come };
      waiting.push(own);
      signal.addEventListener('abort', withdraw, { once: true });
    });
  };
  return async (asking, work) => {
    await placed(asking);
    try {
      return await work();
    } finally {
      giveBack(asking.owner);
    }
  };
}
