// Passes connections on between the network of a site and that of the machine. Unix sockets in the file
// system are the doors between the two.
import {
  connect,
  createServer,
  type ListenOptions,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { rmSync } from 'node:fs';

/** The doors, as paths in the data plane's folder: a path of a socket must be short. */
export const DOORS = {
  api: 'api.sock',
  health: 'health.sock',
  http: 'http.sock',
  https: 'https.sock',
  webhook: 'webhook.sock',
} as const;

/** The first byte of a connection with TLS: the record of a handshake. */
const HANDSHAKE = 0x16;

/** Where a connection goes on; null when nobody is there. */
export type Choose = (first: Buffer) => NetConnectOpts | null;

/**
 * Takes connections there, waits for their first bytes and passes them on to where `choose` says. A path
 * that is left from an earlier process is replaced. Rejects when nobody can listen there.
 */
export async function relayByFirstBytes(from: ListenOptions, choose: Choose): Promise<Server> {
  return listen(from, (socket) => {
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      passOn(socket, choose(first));
    });
  });
}

/** The same, and does not wait for bytes: in some protocols the server speaks first. */
export async function relay(from: ListenOptions, choose: () => NetConnectOpts | null): Promise<Server> {
  return listen(from, (socket) => passOn(socket, choose()));
}

/** TLS to one place, everything else to the other. */
export function byTls(withTls: NetConnectOpts, without: NetConnectOpts): Choose {
  return (first) => (first[0] === HANDSHAKE ? withTls : without);
}

function listen(from: ListenOptions, take: (socket: Socket) => void): Promise<Server> {
  if (from.path !== undefined) rmSync(from.path, { force: true });
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    take(socket);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ ...from, exclusive: true }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function passOn(socket: Socket, target: NetConnectOpts | null): void {
  if (target === null) {
    socket.destroy();
    return;
  }
  const next = connect({ ...target, allowHalfOpen: true, noDelay: true } as NetConnectOpts);
  socket.once('close', () => next.destroy());
  next.once('error', () => socket.destroy()).once('close', () => socket.destroy());
  socket.pipe(next).pipe(socket);
}
