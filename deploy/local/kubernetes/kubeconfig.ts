// Writes kubeconfig files with embedded certificates, so that they can be copied anywhere.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { writeText } from '../supervise/json-file.ts';
import type { PairFiles } from './pki.ts';

/**
 * A pair is copied into the file; `files` and a `tokenFile` are named in it, and whoever uses it follows
 * their renewal.
 */
export type Credential =
  | { readonly pair: PairFiles }
  | { readonly files: PairFiles }
  | { readonly token: string }
  | { readonly tokenFile: string };

export interface ClusterAccess {
  /** The cluster's name in `kubectl config get-contexts`. */
  readonly cluster: string;
  readonly server: string;
  /** The name that the server's certificate must have; the host of `server` if not given. */
  readonly serverName?: string;
  /** Of the proxy on the way, with its user and password. */
  readonly proxyUrl?: string;
  /** Path of the CA certificates of the server, and of the proxy if it has TLS, PEM. */
  readonly ca: string;
  readonly credential: Credential;
}

async function userOf(
  credential: Credential,
  base64: (path: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  if ('token' in credential) return { token: credential.token };
  if ('tokenFile' in credential) return { tokenFile: credential.tokenFile };
  if ('files' in credential)
    return { 'client-certificate': credential.files.cert, 'client-key': credential.files.key };
  return {
    'client-certificate-data': await base64(credential.pair.cert),
    'client-key-data': await base64(credential.pair.key),
  };
}

/**
 * The kubeconfig `text` with the clusters of another one: its server, its authority, and the proxy on the
 * way. Null: it has them already. Throws when one of them is not YAML.
 */
export function withClustersOf(text: string, other: string): string | null {
  type Kubeconfig = Readonly<Record<string, unknown>>;
  const [before, { clusters }] = [parse(text) as Kubeconfig, parse(other) as Kubeconfig];
  return isDeepStrictEqual(before['clusters'], clusters) ? null : stringify({ ...before, clusters });
}

/** Writes the file with mode 0600, if its content changes. */
export async function writeKubeconfig(file: string, access: ClusterAccess): Promise<void> {
  const base64 = async (path: string): Promise<string> => (await readFile(path)).toString('base64');
  const { cluster, server, serverName, proxyUrl } = access;
  const user = await userOf(access.credential, base64);
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': cluster,
    clusters: [
      {
        name: cluster,
        cluster: {
          server,
          ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
          ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
          'certificate-authority-data': await base64(access.ca),
        },
      },
    ],
    users: [{ name: cluster, user }],
    contexts: [{ name: cluster, context: { cluster, user: cluster } }],
  });
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeText(file, text);
}
