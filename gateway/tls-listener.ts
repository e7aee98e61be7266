// TLS for the door, with a certificate that can be replaced while connections are open.
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import { GATEWAY_TIMES } from './times.ts';

/** PEM. */
export interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

export interface TlsListener {
  readonly port: number;
  /** New connections get this certificate; those that are open go on. */
  serve(pair: ServingPair): void;
  close(): Promise<void>;
}

/** Of everybody. What one site and what strangers may hold of them is bounded apart. */
const MOST_CONNECTIONS = 16_384;

export interface Callers {
  /** Somebody has connected, and may not have spoken TLS yet. */
  readonly onConnection?: (socket: Socket) => void;
  readonly onSocket: (socket: TLSSocket) => void;
}

/** Throws the error of `listen`. Only HTTP/2 is spoken, as gRPC does. */
export async function listenWithTls(
  address: string,
  pair: ServingPair,
  { onConnection, onSocket }: Callers,
): Promise<TlsListener> {
  const options = {
    ...pair,
    ALPNProtocols: ['h2'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: GATEWAY_TIMES.handshake.ms,
  } as const;
  const open = new Set<TLSSocket>();
  const server = createServer(options, (socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    socket.setNoDelay(true);
    onSocket(socket);
  });
  server.maxConnections = MOST_CONNECTIONS;
  if (onConnection !== undefined) server.on('connection', onConnection);
  // A handshake that fails ends its own connection and nothing else.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const colon = address.lastIndexOf(':');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(address.slice(colon + 1)), address.slice(0, colon), resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => server.setSecureContext({ ...next, minVersion: 'TLSv1.2' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
