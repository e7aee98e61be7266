// Asks a gRPC server with mutual TLS whether a service of it is served, as gRPC's health checking says.
//
// https://github.com/grpc/grpc/blob/master/doc/health-checking.md
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';

/** A port on 127.0.0.1. `ca`, `cert` and `key` are PEM files, read at each try, because they are renewed. */
export interface GrpcDoor {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** In the server's certificate. */
  readonly name: string;
  /** The full name of the service. */
  readonly service: string;
}

const PATH = '/grpc.health.v1.Health/Check';
/** Of `HealthCheckRequest.service` and `HealthCheckResponse.status`, in protobuf. */
const [SERVICE, STATUS, SERVING] = [0x0a, 0x08, 0x01];
/** In front of each message: not compressed, and its length. */
const PREFIX_BYTES = 5;

/** Null: there was no answer in time. Never throws. */
export async function isServing(door: GrpcDoor, timeoutMs: number): Promise<boolean | null> {
  try {
    const answer = await check(door, timeoutMs);
    return answer.length === 0
      ? false
      : answer[PREFIX_BYTES] === STATUS && answer[PREFIX_BYTES + 1] === SERVING;
  } catch {
    return null;
  }
}

/** The message that comes back; empty when it is refused. */
function check({ port, ca, cert, key, name, service }: GrpcDoor, timeoutMs: number): Promise<Buffer> {
  const session = connect(`https://127.0.0.1:${port}`, {
    ca: readFileSync(ca),
    cert: readFileSync(cert),
    key: readFileSync(key),
    servername: name,
  });
  const answered = new Promise<Buffer>((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => void parts.push(part));
    stream.once('end', () => resolve(Buffer.concat(parts)));
    stream.once('error', reject);
    stream.setTimeout(timeoutMs, () => stream.destroy(new Error('no answer')));
    stream.end(requestFor(service));
  });
  return answered.finally(() => session.destroy());
}

function requestFor(service: string): Buffer {
  const text = Buffer.from(service);
  const message = Buffer.concat([Buffer.from([SERVICE, text.length]), text]);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
