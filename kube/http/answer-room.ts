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
  return (server) => (drop) => {
    const own: Held = { server, drop, bytes: 0 };
    all.add(own);
    return {
      take: (bytes) => {
        if (!all.has(own)) return;
        own.bytes += bytes;
        total += bytes;
        while (total > most) {
          const largest = largestOf(all);
          leave(largest);
          largest.drop();
        }
      },
      leave: () => leave(own),
    };
  };
}

/** The largest answer of the server that holds the most. */
function largestOf(all: ReadonlySet<Held>): Held {
  const servers = Map.groupBy(all, ({ server }) => server);
  const sumOf = (held: readonly Held[]): number => held.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = [...servers.values()].reduce((one, other) => (sumOf(other) > sumOf(one) ? other : one));
  return most.reduce((one, other) => (other.bytes > one.bytes ? other : one));
}
