// The HTTPS server that the hub's API server asks, and nobody else: who shows no certificate of a front proxy
// gets no connection.
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Pair } from '../../tls/certificate.ts';
import { Refused, statusOf } from '../refusal.ts';
import { READER_TIMES } from '../times.ts';
import { callerOf, type Caller, type FrontProxy } from './caller.ts';

export interface Serving {
  readonly pair: Pair;
  readonly proxy: FrontProxy;
}

export interface Door {
  readonly port: number;
  /** For connections from now on. Throws an Error for what is no pair of certificate and key. */
  serve(serving: Serving): void;
  /** Cuts streams off: their callers ask again. */
  close(): Promise<void>;
}

export interface DoorOptions {
  readonly address: string;
  readonly serving: Serving;
  /** Answers what is asked. What it throws is answered, if nothing has been yet. */
  readonly answer: (caller: Caller, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Called for what is no refusal; its text goes to no caller. */
  readonly onError: (error: unknown) => void;
}

/** Bytes, as the API server has it: each group of a user is a header. */
const MOST_HEADERS = 1 << 20;

/** Listens on `host:port`. Throws an Error that names the address if it cannot be had. */
export async function openDoor({ address, serving, answer, onError }: DoorOptions): Promise<Door> {
  let { proxy } = serving;
  const limits = {
    headersTimeout: READER_TIMES.request.ms,
    handshakeTimeout: READER_TIMES.request.ms,
    maxHeaderSize: MOST_HEADERS,
  };
  const server = createServer({ ...secured(serving), ...limits }, (request, response) => {
    admit(proxy, request)
      .then((caller) => answer(caller, request, response))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) onError(error);
        refuse(response, error);
      });
  });
  // Groups are headers: what is left out of them would be a right that is not known.
  server.maxHeadersCount = 0;
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => {
      server.setSecureContext(secured(next));
      proxy = next.proxy;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function secured({ pair, proxy }: Serving) {
  const { cert, key } = pair;
  const asked = { ca: proxy.ca, requestCert: true, rejectUnauthorized: true } as const;
  return { cert, key, ...asked, minVersion: 'TLSv1.2' } as const;
}

async function admit(
  proxy: FrontProxy,
  { socket, headersDistinct: headers }: IncomingMessage,
): Promise<Caller> {
  const { subject } = (socket as TLSSocket).getPeerCertificate();
  return callerOf(proxy, { name: String(subject?.CN ?? ''), headers });
}

/** A stream that has begun can only be cut off. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const [code, message] =
    error instanceof Refused
      ? ([error.code, error.message] as const)
      : ([500, 'The reader failed: its log says why.'] as const);
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(statusOf(code, message)));
}

async function listen(server: Server, address: string): Promise<void> {
  const colon = address.lastIndexOf(':');
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) =>
      reject(new Error(`READER_ADDRESS ${address} cannot be listened on: choose a free address`, { cause }));
    server.once('error', refused).listen(Number(address.slice(colon + 1)), address.slice(0, colon), () => {
      server.off('error', refused);
      resolve();
    });
  });
}
