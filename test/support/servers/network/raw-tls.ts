// Sends raw bytes to a TLS port.
import { connect, type TLSSocket } from 'node:tls';

export async function dial(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** All that the other side answers until it hangs up. */
export async function heardOn(socket: TLSSocket): Promise<string> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends it, and gives what is answered. */
export async function said(port: number, bytes: string | Buffer): Promise<string> {
  const socket = await dial(port);
  const heard = heardOn(socket);
  // Whoever ends his half of the connection is taken for gone.
  socket.write(bytes);
  return heard;
}

/** The head of a POST. */
export function post(path: string, headers: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries({ Host: 'webhook', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}
