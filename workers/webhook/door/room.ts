// Who holds connections of the webhook open: those that have asked nothing yet, and those that wait for their
// next question. Each are so many, and the oldest goes, so that an API server always gets in.
import type { Socket } from 'node:net';
import { oldestGoes } from '../../../tls/oldest-goes.ts';

export interface WebhookRoom {
  /** Connections on which no whole request has come. */
  readonly strangers: number;
  /** Connections whose requests have all been answered. */
  readonly resting: number;
}

/** An API server has one connection for each question under way. */
export const ROOM: WebhookRoom = { strangers: 256, resting: 256 };

export interface WebhookConnections {
  came(socket: Socket): void;
  /** A whole request has come on it: it is not ended before the answer. */
  asked(socket: Socket): void;
  answered(socket: Socket): void;
}

export function connections({
  strangers: mostStrangers,
  resting: mostResting,
}: WebhookRoom): WebhookConnections {
  const [strangers, resting] = [oldestGoes(mostStrangers), oldestGoes(mostResting)];
  const busy = new Map<string, Socket>();
  return {
    came: (socket) => strangers.add(peerOf(socket), socket),
    asked: (socket) => {
      const peer = peerOf(socket);
      const taken = strangers.take(peer) ?? resting.take(peer);
      if (taken === undefined) return;
      busy.set(peer, taken);
    },
    answered: (socket) => {
      const peer = peerOf(socket);
      const taken = busy.get(peer);
      busy.delete(peer);
      if (taken?.destroyed === false) resting.add(peer, taken);
    },
  };
}

/** A socket that has closed has no address any more, so the first answer is kept. */
const peers = new WeakMap<Socket, string>();

function peerOf(socket: Socket): string {
  const peer = peers.get(socket) ?? `${socket.remoteAddress}:${socket.remotePort}`;
  peers.set(socket, peer);
  return peer;
}
