// A bounded number of connections, of which the oldest goes when one more comes: whoever opens many of them
// keeps nobody else out.
import type { Socket } from 'node:net';

export interface HeldConnections {
  readonly size: number;
  /** The newest now. Of too many the oldest is ended, which may be a busy one: take those out before. */
  add(peer: string, socket: Socket): void;
  /** It counts no longer. Undefined if it was not held. */
  take(peer: string): Socket | undefined;
}

/** By their peers, `<address>:<port>`. A connection that closes counts no longer. */
export function oldestGoes(most: number): HeldConnections {
  // In the order in which they came.
  const held = new Map<string, Socket>();
  const watched = new WeakSet<Socket>();
  const take = (peer: string): Socket | undefined => {
    const socket = held.get(peer);
    held.delete(peer);
    return socket;
  };
  return {
    get size() {
      return held.size;
    },
    add: (peer, socket) => {
      held.delete(peer);
      held.set(peer, socket);
      if (!watched.has(socket))
        socket.once('close', () => {
          if (held.get(peer) === socket) held.delete(peer);
        });
      watched.add(socket);
      const [oldest = peer] = held.keys();
      // It counts no longer from now on, though it closes later.
      if (held.size > most) take(oldest)?.destroy();
    },
    take,
  };
}
