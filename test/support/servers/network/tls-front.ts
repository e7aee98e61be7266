// A TLS proxy before a server without TLS, as an ingress or a mesh has it. It admits clients by their
// certificate.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { PairFiles, Pki } from '../../../../deploy/local/kubernetes/pki.ts';

export interface TlsFront {
  /** host:port. */
  readonly address: string;
  /** From now on admits only clients with these certificates, and closes the connections of others. */
  admit(...pairs: PairFiles[]): void;
  stop(): Promise<void>;
}

/** Takes host:port of the server behind it. */
export async function startTlsFront(behind: string, pki: Pki): Promise<TlsFront> {
  const pair = await pki.issue('front', { name: 'front', hosts: ['127.0.0.1', 'localhost'] });
  const [host = '', port = ''] = behind.split(':');
  const inside = new Map<TLSSocket, string>();
  let admitted = new Set<string>();
  const server = createServer({
    cert: readFileSync(pair.cert),
    key: readFileSync(pair.key),
    ca: readFileSync(pki.authority.cert),
    requestCert: true,
    ALPNProtocols: ['h2'],
  });
  server.on('secureConnection', (socket) => {
    const serial = socket.getPeerCertificate().serialNumber;
    const onward = connect(Number(port), host);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('error', () => undefined).on('close', () => to.destroy());
    }
    if (!admitted.has(serial)) return socket.destroy();
    inside.set(socket, serial);
    socket.on('close', () => inside.delete(socket));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    admit: (...pairs) => {
      admitted = new Set(pairs.map(({ cert }) => new X509Certificate(readFileSync(cert)).serialNumber));
      for (const [socket, serial] of inside) if (!admitted.has(serial)) socket.destroy();
    },
    stop: async () => {
      for (const socket of inside.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
