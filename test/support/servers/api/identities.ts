// Clients of a test's API server with any username, by certificates of its CA.
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { ApiServerForTests } from './api-server.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';

/** A client that the server knows by this name and as a member of these groups. */
export async function clientAs(
  api: ApiServerForTests,
  name: string,
  groups: readonly string[] = [],
): Promise<Kube> {
  return connect({ kubeconfig: await kubeconfigAs(api, name, groups), deadlineMs: API_TIMEOUT_MS });
}

/** The path of the kubeconfig of such a client. */
export async function kubeconfigAs(
  api: ApiServerForTests,
  name: string,
  groups: readonly string[] = [],
): Promise<string> {
  const { pki, server, user, dir } = await identityOf(api, name);
  const file = join(dir, `${user}.kubeconfig`);
  const pair = await pki.issue(`users/${user}`, { name, groups });
  await writeKubeconfig(file, { cluster: 'test', server, ca: pki.authority.cert, credential: { pair } });
  return file;
}

export interface Reply {
  readonly code: number;
  /** The server's message if it refused the request. Our client never includes it in errors. */
  readonly message: string;
}

/**
 * Whether a policy has refused it. Rights and policies count a moment after they were written, each at its
 * own time, and who has no rights yet is refused as well.
 */
export function isByPolicy({ code, message }: Reply): boolean {
  return code === 403 && message.includes('ValidatingAdmissionPolicy');
}

/** Sends a request with a username, and returns the server's own message. */
export interface RawClient {
  (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Reply>;
}

export async function rawClientAs(
  api: ApiServerForTests,
  name: string,
  groups: readonly string[] = [],
): Promise<RawClient> {
  const { pki, server, user } = await identityOf(api, name);
  const pair = await pki.issue(`users/${user}`, { name, groups });
  const [ca, cert, key] = await Promise.all(
    [pki.authority.cert, pair.cert, pair.key].map((file) => readFile(file)),
  );
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        // Node says nothing of the body of a DELETE by itself.
        'content-length': Buffer.byteLength(sent),
      };
      const asking = request(`${server}${path}`, { method, ca, cert, key, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const { message = '' } = JSON.parse(Buffer.concat(chunks).toString()) as { message?: string };
            resolve({ code: answer.statusCode ?? 0, message });
          });
      });
      asking.on('error', reject).end(sent);
    });
}

async function identityOf({ kubeconfig }: ApiServerForTests, name: string) {
  const dir = dirname(kubeconfig);
  const pki = await openPki(join(dir, 'pki'));
  const { clusters } = parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { server: string } }];
  };
  return { dir, pki, server: clusters[0].cluster.server, user: name.replaceAll(':', '-') };
}
