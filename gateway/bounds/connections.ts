// Who holds connections open: each stranger for a short while, each site a few. Whoever opens more than that
// loses his own oldest one, so that nobody keeps the agent of another site out.
import type { Socket } from 'node:net';
import { oldestGoes, type HeldConnections } from '../../tls/oldest-goes.ts';
import { GATEWAY_TIMES } from '../times.ts';

export interface Connections {
  /** A connection has been made. It is ended unless a site is known on it soon. */
  came(socket: Socket): void;
  /** A site has shown who it is on the connection with this peer, `<address>:<port>`. */
  known(peer: string, cluster: string): void;
  /** Bytes that have come in on the connection with this peer since this was asked before, TLS and all. */
  read(peer: string): number;
  /** Ends the connection with this peer. */
  cut(peer: string): void;
}

export interface GatewayRoom {
  /** Connections on which nobody is known yet. */
  readonly strangers: number;
  /** Connections of one site: its agent has two, and during its restart the next one has two more. */
  readonly ofSite: number;
}

const ROOM: GatewayRoom = { strangers: 4_096, ofSite: 4 };

export function connections({ strangers: most, ofSite }: GatewayRoom = ROOM): Connections {
  const strangers = oldestGoes(most);
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  const known = new Map<string, HeldConnections>();
  const open = new Map<string, Socket>();
  const counted = new WeakMap<Socket, number>();
  return {
    came: (socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      const timer = setTimeout(() => socket.destroy(), GATEWAY_TIMES.stranger.ms).unref();
      timers.set(socket, timer);
      open.set(peer, socket);
      socket.once('close', () => {
        clearTimeout(timer);
        if (open.get(peer) === socket) open.delete(peer);
      });
      strangers.add(peer, socket);
    },
    known: (peer, cluster) => {
      const socket = strangers.take(peer);
      if (socket === undefined) return;
      clearTimeout(timers.get(socket));
      const own = known.get(cluster) ?? oldestGoes(ofSite);
      known.set(cluster, own);
      own.add(peer, socket);
      socket.once('close', () => {
        if (own.size === 0 && known.get(cluster) === own) known.delete(cluster);
      });
    },
    read: (peer) => {
      const socket = open.get(peer);
      if (socket === undefined) return 0;
      const before = counted.get(socket) ?? 0;
      counted.set(socket, socket.bytesRead);
      return socket.bytesRead - before;
    },
    cut: (peer) => open.get(peer)?.destroy(),
  };
}
