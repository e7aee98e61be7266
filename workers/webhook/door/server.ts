// The HTTPS server that the API server calls. Its certificate can be changed while it answers.
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import type { Pair } from '../../../tls/certificate.ts';
import { bodies, CAPACITY } from './bodies.ts';
import { asked, isClient, type Clients } from './clients.ts';
import { connections, ROOM, type WebhookRoom } from './room.ts';
import { PATHS } from '../../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../../admission/times.ts';

/** What the server shows of itself, and whom it answers: everybody, where it does not say. */
export interface WebhookServing extends Pair {
  readonly clients?: Clients | undefined;
}

export interface AdmissionServer {
  readonly port: number;
  /**
   * For connections from now on; those there are go on. Throws an Error for what is no pair of certificate
   * and key. Whether it asks for client certificates at all stays as it was at the start.
   */
  renew(serving: WebhookServing): void;
  /** Resolves when what was asked has been answered. */
  close(): Promise<void>;
}

/** What was made of a request that was read. */
export interface Reply {
  readonly status: 200 | 400 | 404;
  readonly body: object;
}

export interface ServerOptions {
  readonly address: string;
  readonly serving: WebhookServing;
  readonly reply: (path: string, text: string) => Promise<Reply>;
  /** How many connections may be open on which nothing is asked; `ROOM` if not given. */
  readonly room?: WebhookRoom;
  /** Called for internal errors; the request was answered with 500. */
  readonly onError: (path: string, error: unknown) => void;
  /**
   * Called for each answer: `failed` if it says nothing about the object. Paths that are not served count as
   * `other`.
   */
  readonly onAnswered?:
    | ((path: string, result: 'allowed' | 'refused' | 'failed', seconds: number) => void)
    | undefined;
}

/** Of everybody. Who asks nothing has a smaller share of them (`ROOM`). */
const MOST_CONNECTIONS = 1_024;

const LIMITS = {
  keepAliveTimeout: WEBHOOK_TIMES.keepAlive.ms,
  headersTimeout: WEBHOOK_TIMES.request.ms,
  requestTimeout: WEBHOOK_TIMES.request.ms,
  handshakeTimeout: WEBHOOK_TIMES.request.ms,
  connectionsCheckingInterval: WEBHOOK_TIMES.connectionCheck.ms,
} as const;

/** Listens on `host:port`. Throws an Error that names the address if it cannot be had. */
export async function serveAdmission({
  address,
  serving,
  reply,
  room: most = ROOM,
  onError,
  onAnswered,
}: ServerOptions): Promise<AdmissionServer> {
  const underWay = new Set<Promise<void>>();
  const read = bodies(CAPACITY);
  const room = connections(most);
  let { clients } = serving;
  const server = createServer({ ...contextOf(serving), ...LIMITS }, (request, response) => {
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    underWay.add(ended);
    const { socket } = request;
    void ended.then(() => {
      underWay.delete(ended);
      room.answered(socket);
    });
    // Compared as text: a malformed URL must not throw.
    const [path = ''] = (request.url ?? '').split('?', 1);
    const began = performance.now();
    answerOne(request, { path, read, reply, isKnown: isClient(request, clients), room })
      .catch((error: unknown) => {
        onError(path, error);
        return { status: 500, body: { message: 'The webhook failed: its log says why.' } };
      })
      .then((answer) => {
        end(response, answer);
        onAnswered?.(SERVED.has(path) ? path : 'other', resultOf(answer), (performance.now() - began) / 1000);
      })
      .catch((error: unknown) => onError(path, error));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connection', (socket) => room.came(socket as Socket));
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    renew: (next) => {
      server.setSecureContext(contextOf(next));
      clients = next.clients;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.all(underWay);
      // What is left is idle: the API server opens more connections than it uses.
      server.closeAllConnections();
      await closed;
    },
  };
}

function contextOf({ cert, key, clients }: WebhookServing): SecureContextOptions & TlsOptions {
  return { cert, key, ...asked(clients), minVersion: 'TLSv1.2' };
}

const SERVED: ReadonlySet<string> = new Set(Object.values(PATHS));

function resultOf({ status, body }: Answer): 'allowed' | 'refused' | 'failed' {
  if (status !== 200) return 'failed';
  return (body as { response?: { allowed?: boolean } }).response?.allowed === true ? 'allowed' : 'refused';
}

async function listen(server: Server, address: string): Promise<void> {
  const colon = address.lastIndexOf(':');
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) =>
      reject(new Error(`WEBHOOK_ADDRESS ${address} cannot be listened on: choose a free address`, { cause }));
    server.once('error', refused).listen(Number(address.slice(colon + 1)), address.slice(0, colon), () => {
      server.off('error', refused);
      resolve();
    });
  });
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

interface Answering extends Pick<ServerOptions, 'reply'> {
  readonly path: string;
  readonly read: ReturnType<typeof bodies>;
  readonly isKnown: boolean;
  readonly room: ReturnType<typeof connections>;
}

async function answerOne(
  request: IncomingMessage,
  { path, read, reply, isKnown, room }: Answering,
): Promise<Answer> {
  if (!isKnown)
    return { status: 403, body: { message: 'This client certificate is not that of an API server.' } };
  if (request.method !== 'POST') return { status: 405, body: { message: 'Only POST is allowed.' } };
  const body = await read(request);
  switch (body.outcome) {
    case 'TooLarge':
      return {
        status: 413,
        body: {
          message: `The body is larger than ${CAPACITY.largest} bytes, more than any object of the API server needs.`,
        },
      };
    case 'NoRoom':
      return { status: 429, body: { message: 'Too many requests are under way. Retry in a moment.' } };
    case 'CutOff':
      return { status: 408, body: { message: 'The request body was cut off.' } };
    case 'Read':
      room.asked(request.socket);
      return reply(path, body.text).finally(body.done);
  }
}

function end(response: ServerResponse, { status, body }: Answer): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const later: OutgoingHttpHeaders =
    status === 429 ? { 'retry-after': String(WEBHOOK_TIMES.retryAfter.ms / 1000) } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...later }).end(JSON.stringify(body));
}
