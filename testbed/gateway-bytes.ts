// Who speaks to the gateway without an SDK: HTTP/2 as they like it, in tests and benchmarks.
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';

const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

export interface RawCaller {
  /**
   * The gRPC code with which a call ends; null if the stream ends without one. A method that begins with `/`
   * is the whole path.
   */
  call(method: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<number | null>;
  /** The same, of which only the first part is sent. */
  begin(method: string, headers: Readonly<Record<string, string>>, part: Uint8Array): Begun;
  close(): void;
}

export interface Begun {
  readonly code: Promise<number | null>;
  /** Sends a further part. */
  more(part: Uint8Array): void;
  /** Sends the rest. */
  end(rest: Uint8Array): void;
}

/** One connection of its own. */
export async function rawCaller(address: string, authority: string): Promise<RawCaller> {
  const session = connect(`https://${address}`, { ca: authority });
  session.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    session.once('connect', () => resolve());
    session.once('error', reject);
  });
  return {
    call: async (method, headers, body) => {
      if (session.destroyed || session.closed) return null;
      const { code, end } = begin(session, method, headers);
      end(body);
      return code;
    },
    begin: (method, headers, part) => begin(session, method, headers, part),
    close: () => session.destroy(),
  };
}

/** A message as gRPC frames it. */
export function framed(message: Uint8Array, isCompressed = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isCompressed ? 1 : 0, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function begin(
  session: ClientHttp2Session,
  method: string,
  headers: Readonly<Record<string, string>>,
  part?: Uint8Array,
): Begun {
  const asked = { 'content-type': 'application/grpc', te: 'trailers', ...headers };
  const path = method.startsWith('/') ? method : `/${SERVICE}/${method}`;
  const stream = session.request({ ':method': 'POST', ':path': path, ...asked });
  let said: number | null = null;
  const hear = (heard: IncomingHttpHeaders): void => {
    const text = heard['grpc-status'];
    if (text !== undefined) said = Number(text);
  };
  stream.on('response', hear).on('trailers', hear).resume();
  if (part !== undefined) stream.write(part);
  const code = new Promise<number | null>((resolve) => {
    stream.on('error', () => undefined).on('close', () => resolve(said));
  });
  return {
    code,
    more: (more) => {
      if (stream.writable) stream.write(more);
    },
    end: (rest) => void stream.end(rest),
  };
}
