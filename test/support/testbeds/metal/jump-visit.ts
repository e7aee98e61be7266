// What is around a jump host: people with keys who come by ssh, and the BMC of a host behind it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createServer as createPort, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';

export const run = promisify(execFile);

/** A key pair of a person, by ssh-keygen. */
export async function keyPair(
  dir: string,
  name: string,
  type: string,
): Promise<{ readonly file: string; readonly line: string }> {
  const file = join(dir, name);
  await run('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', file]);
  return { file, line: readFileSync(`${file}.pub`, 'utf8') };
}

export async function freePort(): Promise<number> {
  const server = createPort();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export interface Reset {
  readonly url: string;
  readonly user: string;
  readonly body: string;
}

/** A Redfish service that writes down who resets which system. */
export async function startBmc(dir: string, resets: Reset[]): Promise<Server> {
  const pki = await openPki(join(dir, 'pki'));
  const { cert, key } = await pki.issue('bmc', { name: 'bmc', hosts: ['127.0.0.1'] });
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (asked, response) => {
    let body = '';
    asked.setEncoding('utf8').on('data', (part: string) => (body += part));
    asked.on('end', () => {
      const [, encoded = ''] = (asked.headers.authorization ?? '').split(' ');
      resets.push({ url: asked.url ?? '', user: Buffer.from(encoded, 'base64').toString('utf8'), body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

export interface Came {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Comes as a person would, to the port, with the keys of hosts in the file `known`. */
export async function comeBySsh(
  { port, known }: { readonly port: number; readonly known: string },
  key: string,
  command: readonly string[],
  { options = [], user = 'ubuntu' }: { readonly options?: readonly string[]; readonly user?: string },
): Promise<Came> {
  const set = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${known}`,
    'LogLevel=ERROR',
  ];
  const args = [
    '-F',
    'none',
    '-p',
    String(port),
    '-i',
    key,
    ...set.flatMap((one) => ['-o', one]),
    ...options,
  ];
  try {
    const { stdout, stderr } = await run('ssh', [...args, `${user}@127.0.0.1`, ...command], {
      timeout: 60_000,
    });
    return { ok: true, stdout, stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Partial<Came>;
    return { ok: false, stdout, stderr };
  }
}
