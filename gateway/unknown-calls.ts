// Leads every call into the same answer. gRPC would answer a path that nobody has registered, another content
// type and an odd timeout by itself, as fast as it can: before anybody is identified, counted, held or
// logged.
import type { IncomingHttpHeaders } from 'node:http2';
import type { Server, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';

export type Handler = (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => void;

/**
 * The name of all calls that Temporal's services do not have, in logs and refusals: what a caller writes
 * there is his own.
 */
export const UNKNOWN_CALL = 'UnknownCall';
const PATH = `/${UNKNOWN_CALL}`;

/**
 * The first thing that grpc-js 1.14 asks of each call, with the headers from which it takes the path and the
 * timeout afterwards. Private: no public way leads there. `test/unit/gateway/unknown-calls.test.ts` fails if
 * a later version asks otherwise.
 */
const FIRST = '_verifyContentType';

/**
 * Has `handler` answer each call whose path is not in `known`, and each that is none of gRPC. A timeout that
 * the caller names is his own concern: he may give up a call, and then has gone. Throws where the library has
 * changed, so that no door opens that can be gone round.
 */
export function leadUnknownCalls(server: Server, known: ReadonlySet<string>, handler: Handler): void {
  if (typeof Reflect.get(server, FIRST) !== 'function')
    throw new Error(`grpc-js has no ${FIRST} any more: find out what it does with unknown calls now`);
  const bytes = (value: Buffer): Buffer => value;
  server.register(PATH, handler, bytes, bytes, 'unary');
  Reflect.set(server, FIRST, (_stream: unknown, headers: IncomingHttpHeaders): boolean => {
    const isGrpc = headers['content-type']?.startsWith('application/grpc') === true;
    if (!isGrpc || !known.has(headers[':path'] ?? '')) headers[':path'] = PATH;
    delete headers['grpc-timeout'];
    return true;
  });
}
