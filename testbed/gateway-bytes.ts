// Who speaks to the gateway without an SDK: HTTP/2 as they like it, in tests and benchmarks.
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';

const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

export interface RawCaller {
  /** The gRPC code with which a call ends; null if the stream ends without one. */
  call(method: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<number | null>;
  close(): void;
}

/** One connection of its own. */
export async function rawCaller(address: string, authority: string): Promise<RawCaller> {
  const session = connect(`https://${address}`, { ca: authority });
  session.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    session.once('connect', () => resolve());
    session.once('error', reject);
  });
  return { call: (...given) => codeOf(session, ...given), close: () => session.destroy() };
}

/** A message as gRPC frames it. */
export function framed(message: Uint8Array, isCompressed = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isCompressed ? 1 : 0, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function codeOf(
  session: ClientHttp2Session,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<number | null> {
  const asked = { 'content-type': 'application/grpc', te: 'trailers', ...headers };
  return new Promise((resolve) => {
    const stream = session.request({ ':method': 'POST', ':path': `/${SERVICE}/${method}`, ...asked });
    let code: number | null = null;
    const hear = (said: IncomingHttpHeaders): void => {
      const text = said['grpc-status'];
      if (text !== undefined) code = Number(text);
    };
    stream.on('response', hear).on('trailers', hear);
    stream.on('error', () => undefined).on('close', () => resolve(code));
    stream.resume().end(body);
  });
}
