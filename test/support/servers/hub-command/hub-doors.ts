// The doors of a hub that runs by `cappstan hub`: who is let in where, and by which certificate they show
// themselves.
import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import { Connection } from '@temporalio/client';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { writeKubeconfig, type Credential } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { describeError } from '../../../../deploy/local/terminal.ts';
import { connect } from '../../../../kube/client.ts';

export interface HubDoors {
  readonly dir: string;
  /** The port of the API server. */
  readonly api: number;
}

/** What the hub says to somebody who comes with this. */
export async function greeting(
  hub: HubDoors,
  credential: Credential,
  ca = join(hub.dir, 'cert', 'ca.crt'),
): Promise<string> {
  const file = join(dirname(hub.dir), 'visitor.kubeconfig');
  await writeKubeconfig(file, { cluster: 'hub', server: `https://127.0.0.1:${hub.api}`, ca, credential });
  const kube = connect({ kubeconfig: file, deadlineMs: 20_000 });
  try {
    await kube.list(SECRET, { namespace: 'kube-system' });
    return 'welcome';
  } catch (error) {
    return describeError(error);
  } finally {
    await kube.close();
  }
}

export const adminOf = ({ dir }: HubDoors): Credential => ({
  pair: { cert: join(dir, 'cert', 'admin.crt'), key: join(dir, 'cert', 'admin.key') },
});

/** What the API server answers to somebody without a certificate. */
export function statusAt(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      },
    );
    call.once('error', reject).end();
  });
}

/** The port of one of its processes. */
export function portOf({ dir }: HubDoors, name: string): number {
  const ports = JSON.parse(readFileSync(join(dir, 'state', 'ports.json'), 'utf8')) as Record<string, number>;
  return ports[name] ?? 0;
}

/** What the etcd of `at` says to the API server of `who`, or why it does not. */
export function version(
  port: number,
  who: HubDoors | { cert: string; key: string } | null,
  at: HubDoors,
): Promise<string> {
  const pair =
    who === null || 'cert' in who
      ? who
      : { cert: join(who.dir, 'cert', 'etcd-client.crt'), key: join(who.dir, 'cert', 'etcd-client.key') };
  const shown = pair === null ? {} : { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  const ca = readFileSync(join(at.dir, 'cert', 'etcd-ca.crt'));
  return new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, path: '/version', ca, ...shown, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve(text));
      },
    );
    call.once('error', ({ message }) => resolve(message));
    call.end();
  });
}

/** At the Temporal of `at`, with the certificate of `who`. Throws when it does not let them in. */
export function temporalOf(port: number, who: HubDoors, at: HubDoors): Promise<Connection> {
  const read = (hub: HubDoors, name: string): Buffer => readFileSync(join(hub.dir, 'cert', name));
  const clientCertPair = { crt: read(who, 'temporal-client.crt'), key: read(who, 'temporal-client.key') };
  const tls = { serverRootCACertificate: read(at, 'temporal-ca.crt'), clientCertPair };
  return Connection.connect({ address: `127.0.0.1:${port}`, tls, connectTimeout: 20_000 });
}

/** Whether the Temporal of `at` lets the hub worker of `who` in. */
export async function temporalSays(port: number, who: HubDoors, at: HubDoors): Promise<string> {
  try {
    await (await temporalOf(port, who, at)).close();
    return 'welcome';
  } catch (error) {
    return String(error);
  }
}

/**
 * The processes of a hub that show workflows to whoever is on the machine, by their names in its list of
 * ports.
 */
export async function workflowsShown({ dir }: HubDoors): Promise<readonly string[]> {
  const ports = JSON.parse(readFileSync(join(dir, 'state', 'ports.json'), 'utf8')) as Record<string, number>;
  const shown: string[] = [];
  for (const [name, port] of Object.entries(ports))
    for (const path of ['/api/v1/namespaces/default/workflows', '/namespaces/default/workflows'])
      for (const scheme of ['http', 'https'])
        if (await answers(`${scheme}://127.0.0.1:${port}${path}`)) shown.push(name);
  return shown;
}

/** Certificates are not looked at: nothing of us goes there. */
function answers(url: string): Promise<boolean> {
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(5_000) };
  const ask = url.startsWith('https:') ? request : plainRequest;
  return new Promise((resolve) => {
    const call = ask(url, options, (answer) => {
      answer.resume();
      resolve((answer.statusCode ?? 0) < 400);
    });
    call.once('error', () => resolve(false)).end();
  });
}

/** The certificate at a port. */
export function served(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate === undefined) reject(new Error('no certificate'));
      else resolve(certificate);
    });
    socket.once('error', reject);
  });
}
