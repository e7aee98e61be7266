// The HTTPS server that the API server calls. Its certificate can be changed while it answers.
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pair } from '../admission/certificate.ts';
import type { Reply } from './admission-answer.ts';

export interface AdmissionServer {
  readonly port: number;
  /** For connections from now on; those there are go on. Throws an Error for what is no pair of certificate and key. */
  renew(pair: Pair): void;
  /** Resolves when what was asked has been answered. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly address: string;
  readonly pair: Pair;
  readonly reply: (path: string, text: string) => Promise<Reply>;
  /** Hears of faults of ours; the request was answered with 500. */
  readonly onError: (path: string, error: unknown) => void;
}

/** An object may have 1.5 MiB in etcd, and an update brings two. */
const LARGEST = 8 * 1024 * 1024;
/** Longer than the 90 s for which the API server keeps an idle connection, so that it never writes to one that we close just then. */
const KEEP_ALIVE_MS = 120_000;

/** Listens on `host:port`. Throws an Error that names the address if it cannot be had. */
export async function serveAdmission({ address, pair, reply, onError }: ServerOptions): Promise<AdmissionServer> {
  const options = { ...pair, minVersion: 'TLSv1.2' as const, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 30_000 };
  const underWay = new Set<Promise<void>>();
  const server = createServer(options, (request, response) => {
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
    const path = new URL(request.url ?? '/', 'https://localhost').pathname;
    respond(request, response, path, reply).catch((error: unknown) => {
      onError(path, error);
      end(response, 500, { message: 'The webhook failed: its log says why.' });
    });
  });
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    renew: (next) => server.setSecureContext({ ...next, minVersion: 'TLSv1.2' }),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.all(underWay);
      // What is left has never asked anything: the API server opens more connections than it comes to use.
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, address: string): Promise<void> {
  const colon = address.lastIndexOf(':');
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) => reject(new Error(`WEBHOOK_ADDRESS ${address} cannot be listened on: is it in use?`, { cause }));
    server.once('error', refused).listen(Number(address.slice(colon + 1)), address.slice(0, colon), () => {
      server.off('error', refused);
      resolve();
    });
  });
}

async function respond(request: IncomingMessage, response: ServerResponse, path: string, reply: ServerOptions['reply']): Promise<void> {
  if (request.method !== 'POST') return end(response, 405, { message: 'Only POST is answered.' });
  const text = await textOf(request);
  if (text === null) return end(response, 413, { message: `More than ${LARGEST} bytes are not read.` });
  const { status, body } = await reply(path, text);
  end(response, status, body);
}

/** Null when there is too much of it. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function end(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
