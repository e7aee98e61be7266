// A receiver of webhooks on loopback, over HTTPS, which behaves as a test says.
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { issue } from '../../../../tls/certificate.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * A status; `redirect` to another path of its own; `upgrade`: it changes the protocol; `close`: it hangs up
 * in the middle of the answer; `drop`: in the middle of the request; `hang`: it never answers; `endless`: its
 * answer has no end; `hints`: it says without an end that an answer comes; `headers`: its headers have none.
 */
export type Behavior =
  | number
  | 'redirect'
  | 'upgrade'
  | 'close'
  | 'drop'
  | 'hang'
  | keyof typeof FLOODS
  | { readonly retryAfter: string };

export interface Receiver {
  readonly port: number;
  /** What has signed its certificate (PEM). */
  readonly authority: string;
  /** The requests that it has read to their end. */
  readonly received: Received[];
  /** How many have come so far, whatever they sent. */
  connections(): number;
  behave(as: Behavior): void;
  /** On the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How each begins, and what then comes again and again. */
const FLOODS = {
  endless: ['HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536)],
  hints: ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)],
  headers: ['HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(65_536)}\r\n`],
} as const;

/** The name in its certificate. */
export const RECEIVER = 'receiver.test';

export async function startReceiver(hosts: readonly string[] = [RECEIVER]): Promise<Receiver> {
  const { cert, key, authority } = await issue(hosts, Date.now());
  const received: Received[] = [];
  let behavior: Behavior = 200;
  let server: Server;
  let port = 0;
  let connections = 0;
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer({ cert, key }, (request, response) => {
        if (behavior === 'drop') return void request.socket.destroy();
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => void chunks.push(chunk));
        request.on('end', () => {
          received.push({
            path: request.url ?? '',
            headers: request.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          });
          if (behavior === 'hang') return;
          if (typeof behavior === 'string' && behavior in FLOODS) {
            const [first, more] = FLOODS[behavior as keyof typeof FLOODS];
            return flood(request.socket, first, more);
          }
          if (behavior === 'close') {
            response.socket?.write('HTTP/1.1 20');
            response.socket?.destroy();
          } else if (behavior === 'upgrade')
            response.socket?.write(
              'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
            );
          else if (behavior === 'redirect') response.writeHead(307, { location: '/elsewhere' }).end();
          else if (typeof behavior === 'object')
            response.writeHead(429, { 'retry-after': behavior.retryAfter }).end();
          else response.writeHead(behavior as number).end('x'.repeat(100_000));
        });
      });
      server.on('connection', () => void (connections += 1));
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  await listen();
  return {
    get port() {
      return port;
    },
    authority,
    received,
    connections: () => connections,
    behave: (as) => void (behavior = as),
    start: listen,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Until the other end closes; as fast as it reads. */
function flood(socket: Writable, first: string, more: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('error', () => undefined).on('drain', write);
  socket.write(first);
  write();
}
