// One question to an etcd, by its JSON API.
import { readFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { getCACertificates } from 'node:tls';
import type { ClientTls } from '../config/pair.ts';

export interface EtcdDoor {
  /** A URL with a port. */
  readonly server: string;
  /** Null for http. */
  readonly tls: ClientTls | null;
}

/**
 * The answer, whose body is yet to be read. `quietMs` is how long etcd may send nothing. Throws what keeps it
 * from answering.
 */
export async function askEtcd(
  { server, tls }: EtcdDoor,
  path: string,
  { body, quietMs }: { readonly body: object; readonly quietMs: number },
): Promise<IncomingMessage> {
  const files = [tls?.ca, tls?.pair?.cert, tls?.pair?.key];
  const [ca, cert, key] = await Promise.all(
    files.map((file) => (file === undefined ? Promise.resolve(undefined) : readFile(file))),
  );
  const options = { method: 'POST', agent: false as const, timeout: quietMs };
  return new Promise((resolve, reject) => {
    const url = new URL(path, server);
    // As the API server has it: the machine's authorities, or the given ones, wherever in a chain they are.
    const trust = { ca: ca ?? getCACertificates('system'), allowPartialTrustChain: true };
    const call =
      tls === null ? plainRequest(url, options) : tlsRequest(url, { ...options, ...trust, cert, key });
    call.once('timeout', () => call.destroy(new Error('etcd does not answer.')));
    call.once('error', reject);
    call.once('response', (answer: IncomingMessage) => {
      if (answer.statusCode === 200) return resolve(answer);
      answer.destroy();
      return reject(new Error(`etcd answers with ${answer.statusCode ?? 0}.`));
    });
    call.end(JSON.stringify(body));
  });
}
