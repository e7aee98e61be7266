// The address of a site's ingress: takes HTTP requests and answers each as the Pod that it is routed to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerOf, type Answer } from './answering-pod.ts';
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
}

/** Throws an Error that names the address if it cannot be had. */
export async function openGateway({ host, port, site, route }: GatewayOptions): Promise<Gateway> {
  const server = createServer((request, response) => {
    request.resume();
    send(request, response, answerTo(route(appRequest(request)), site));
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error): void =>
      reject(
        new Error(`The ingress of ${site} cannot listen on ${host}:${port}: ${cause.message}`, { cause }),
      );
    server.once('error', refused).listen({ host, port, exclusive: true }, () => {
      server.off('error', refused);
      resolve();
    });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function appRequest({ headers, url = '/' }: IncomingMessage): AppRequest {
  return { host: headers.host ?? '', path: url.split('?')[0] ?? '/', headers };
}

/** 200 from a Pod; 404 when no app has the host or path; 503 while the app has no Pod that takes requests. */
export function answerTo(to: Destination, site: string): Answer {
  switch (to.kind) {
    case 'pod':
      return answerOf(to.pod, site);
    case 'unknown-host':
      return refusal(404, `No app of ${site} has the host ${JSON.stringify(to.host)}.`);
    case 'no-path':
      return refusal(404, `The app of ${to.host} on ${site} has no route for ${to.path}.`);
    case 'no-ready-pod':
      return refusal(503, `The revision ${to.namespace}/${to.revision} has no ready Pod on ${site}.`);
  }
}

function refusal(status: number, sentence: string): Answer {
  return { status, headers: {}, body: `${sentence}\n` };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
