// The address of a site's ingress: takes HTTP requests and answers each as the Pod that it is routed to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createDoor, type Socket } from 'node:net';
import type { SecureContext, TlsOptions } from 'node:tls';
import { answerOf, type StandInAnswer } from '../answer.ts';
import type { AnsweringPod } from './answering-pod.ts';
import type { AppRequest, Destination } from './destination.ts';

export interface Gateway {
  /** Ends connections that have no request under way, and resolves when none is left. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  /** The site's name, for answers. */
  readonly site: string;
  route(request: AppRequest): Destination;
  /** A Pod answers a request: what its program writes of it. */
  onAnswer(pod: AnsweringPod, text: string): void;
  /** The certificate and key of a host; null for one that has none, and then its connection is refused. */
  secure(host: string): Promise<SecureContext | null>;
}

/** The first byte of a connection with TLS: the record of a handshake. */
const HANDSHAKE = 0x16;

/**
 * With and without TLS on the same port: a record in DNS names an address and no port. Throws an Error that
 * names the address if it cannot be had.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, site, route, secure, onAnswer } = options;
  const answer =
    (isSecure: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      request.resume();
      const to = route(appRequest(request, isSecure));
      if (to.kind === 'pod') onAnswer(to.pod, `${request.method} ${request.url}`);
      send(request, response, answerTo(to, site));
    };
  const plain = createServer(answer(false));
  const withTls = createSecureServer({ SNICallback: contextOf(secure) }, answer(true));
  const silent = new Set<Socket>();
  const door = createDoor((socket) => {
    silent.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => silent.delete(socket));
    socket.once('data', (first: Buffer) => {
      silent.delete(socket);
      socket.pause();
      socket.unshift(first);
      (first[0] === HANDSHAKE ? withTls : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error): void =>
      reject(
        new Error(`The ingress of ${site} cannot listen on ${host}:${port}: ${cause.message}`, { cause }),
      );
    door.once('error', refused).listen({ host, port, exclusive: true }, () => {
      door.off('error', refused);
      resolve();
    });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve());
        for (const server of [plain, withTls]) server.closeIdleConnections();
        for (const socket of silent) socket.destroy();
      }),
  };
}

function contextOf(secure: GatewayOptions['secure']): NonNullable<TlsOptions['SNICallback']> {
  return (name, done) => {
    secure(name).then(
      (context) => (context === null ? done(new Error(`No certificate for ${name}`)) : done(null, context)),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };
}

function appRequest({ headers, url = '/' }: IncomingMessage, isSecure: boolean): AppRequest {
  return { host: headers.host ?? '', path: url.split('?')[0] ?? '/', headers, isSecure };
}

/**
 * 200 from a Pod; 301 to the same with TLS; 404 when no app has the host or path; 503 while the app has no
 * Pod that takes requests.
 */
export function answerTo(to: Destination, site: string): StandInAnswer {
  switch (to.kind) {
    case 'pod':
      return answerOf(to.pod, site);
    case 'with-tls':
      return {
        ...refusal(301, `${to.host} answers with TLS only.`),
        headers: { location: `https://${to.host}${to.path}` },
      };
    case 'unknown-host':
      return refusal(404, `No app of ${site} has the host ${JSON.stringify(to.host)}.`);
    case 'no-path':
      return refusal(404, `The app of ${to.host} on ${site} has no route for ${to.path}.`);
    case 'no-ready-pod':
      return refusal(503, `The revision ${to.namespace}/${to.revision} has no ready Pod on ${site}.`);
  }
}

function refusal(status: number, sentence: string): StandInAnswer {
  return { status, headers: {}, body: `${sentence}\n` };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: StandInAnswer,
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
