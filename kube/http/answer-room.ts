// What the answers that are being read hold of memory, over all servers. Where there is no room left, the
// server loses one that holds the most: who sends little is answered, however many others send too much.

export interface HeldAnswer {
  /** So many bytes have come. It may have been dropped when this returns. */
  take(bytes: number): void;
  /** It is read no further. */
  leave(): void;
}

/** One answer begins. `drop` is called at most once, and must free what was kept of it. */
export type EnterRoom = (drop: () => void) => HeldAnswer;

interface Held {
  readonly server: string;
  readonly drop: () => void;
  bytes: number;
}

/** Takes the bytes for all, and then the name of a server. */
export function answerRoom(most: number): (server: string) => EnterRoom {
  const all = new Set<Held>();
  let total = 0;
  const leave = (one: Held): void => {
    if (all.delete(one)) total -= one.bytes;
  };
  /** Drops until there is room: of what is dropped nothing counts any more. */
  const makeRoom = (): void => {
    const largest = total > most ? largestOf(all) : undefined;
    if (largest === undefined) return;
    leave(largest);
    largest.drop();
    makeRoom();
  };
  return (server) => (drop) => {
    const own: Held = { server, drop, bytes: 0 };
    all.add(own);
    return {
      take: (bytes) => {
        if (!all.has(own)) return;
        own.bytes += bytes;
        total += bytes;
        makeRoom();
      },
      leave: () => leave(own),
    };
  };
}

/** The largest answer of the server that holds the most. */
function largestOf(all: ReadonlySet<Held>): Held | undefined {
  const sums = new Map<string, number>();
  for (const { server, bytes } of all) sums.set(server, (sums.get(server) ?? 0) + bytes);
  const [most] = [...sums].toSorted(([, one], [, other]) => other - one);
  const own = [...all].filter(({ server }) => server === most?.[0]);
  return own.toSorted((one, other) => other.bytes - one.bytes)[0];
}
