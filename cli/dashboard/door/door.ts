// The door of the dashboard: an HTTP server on loopback that answers nobody but its own page.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '../../../kube/deferred.ts';
import { pass, type DashboardGate } from './gate.ts';
import { idleTimer } from './idle.ts';
import type { Inside, PageFiles } from './inside.ts';
import { newSecrets } from './secrets.ts';

export interface DashboardDoorOptions {
  readonly page: PageFiles;
  readonly inside: Inside;
  /** Milliseconds without a page after which it ends. */
  readonly idleMs: number;
  /** 0: any that is free. */
  readonly port: number;
}

export interface DashboardDoor {
  /** With the secret, which counts once. */
  readonly address: string;
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Resolves when it has ended, by `close` or because nobody looks. */
  readonly ended: Promise<'closed' | 'idle'>;
  close(): void;
}

const HOST = '127.0.0.1';

/** Listens when this resolves. Throws what Node throws, such as EADDRINUSE for a port that is taken. */
export async function openDoor({ page, inside, idleMs, port }: DashboardDoorOptions): Promise<DashboardDoor> {
  const server = createServer({ maxHeaderSize: 16 * 1024 });
  await listen(server, port);
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  const secrets = newSecrets();
  const closing = new AbortController();
  const { promise: ended, resolve } = deferred<'closed' | 'idle'>();
  const end = (how: 'closed' | 'idle'): void => {
    idle.stop();
    closing.abort();
    server.close();
    server.closeAllConnections();
    resolve(how);
  };
  const idle = idleTimer(idleMs, () => end('idle'));
  const gate: DashboardGate = { page, inside, secrets, idle, origin, closing: closing.signal };
  server.on('request', (request, response) => {
    void pass(gate, request, response).catch(() => response.destroy());
  });
  return { address: `${origin}/#${secrets.once}`, origin, ended, close: () => end('closed') };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed).listen(port, HOST, listening);
  });
}
