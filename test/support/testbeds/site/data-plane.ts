// Looks at a site with the real data plane from outside: requests with TLS, the certificate that they are
// answered with, and processes that know a text.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect as dialSecurely } from 'node:tls';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import type { PairFiles } from '../../../../deploy/local/kubernetes/pki.ts';
import type { Address } from '../../../../deploy/local/supervise/process-spec.ts';
import type { Kube } from '../../../../kube/client.ts';

/**
 * The answer to one request by a client that trusts `ca` alone; undefined while it is another one than 200.
 */
export async function askSecurely(
  address: Address,
  servername: string,
  ca: Buffer,
): Promise<string | undefined> {
  const socket = dialSecurely({ ...address, servername, ca });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => resolve(answer.includes(' 200 ') ? answer : undefined));
    socket.write(`GET / HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
  });
}

/** A Secret with this certificate, in the namespace `default`. */
export async function writeTlsSecret(kube: Kube, name: string, pair: PairFiles): Promise<void> {
  const read = async (path: string): Promise<string> => (await readFile(path)).toString('base64');
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': await read(pair.cert), 'tls.key': await read(pair.key) },
  };
  await kube.apply(SECRET, object, { fieldManager: 'test', force: true });
}

/** The command lines of processes, but this one, that contain this text there or in their environment. */
export async function knowing(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const read = (pid: string, file: string) => readFile(join('/proc', pid, file), 'utf8').catch(() => '');
  const lines = await Promise.all(
    pids.map(async (pid) => [await read(pid, 'cmdline'), await read(pid, 'environ')] as const),
  );
  return lines.filter((one) => one.some((part) => part.includes(text))).map(([command]) => command);
}
