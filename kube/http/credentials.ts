// Address and credentials of an API server: the one place that reads kubeconfigs.
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { delimiter, dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { KUBE_TIMES } from '../times.ts';
import { KubeConfig } from './kube-config.ts';

type Config = InstanceType<typeof KubeConfig>;

/** The client's credentials, and what the server's certificate must satisfy. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Tls;
}

export type Tls = Pick<
  RequestOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'rejectUnauthorized' | 'servername'
>;

export interface Endpoint {
  readonly origin: string;
  /** The prefix of every path, without a trailing slash: some servers are behind one. */
  readonly root: string;
  readonly proxyUrl: string | null;
  /**
   * Read anew for each request, since tokens, certificates and their files rotate. What the library remembers
   * of a token is forgotten when the server has `refused` credentials that rested on it; gives the same if
   * that has only just been done. Rejects with a plain Error.
   */
  credentials(refused?: Credentials): Promise<Credentials>;
}

/** Throws a plain Error when there is no usable configuration. */
export function endpointOf(kubeconfig?: string): Endpoint {
  const config = load(kubeconfig);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error(`No current cluster in ${kubeconfig ?? 'the kubeconfig'}`);
  const server = new URL(cluster.server);
  if (server.protocol !== 'https:' && !cluster.skipTLSVerify) {
    throw new Error(
      `${server.origin} is not an https address: set KUBECONFIG to another server, or set insecure-skip-tls-verify to allow it`,
    );
  }
  return {
    origin: server.origin,
    root: server.pathname.replace(/\/+$/, ''),
    proxyUrl: cluster.proxyUrl ?? null,
    credentials: renewing(config, () => load(kubeconfig)),
  };
}

function load(kubeconfig: string | undefined): Config {
  const config = new KubeConfig();
  if (kubeconfig === undefined) config.loadFromDefault();
  else config.loadFromFile(kubeconfig);
  const files = kubeconfig === undefined ? (process.env['KUBECONFIG'] ?? '').split(delimiter) : [kubeconfig];
  for (const file of files.filter(Boolean)) adoptTokenFiles(config, file);
  return config;
}

interface RawConfig {
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly tokenFile?: string } }[];
}

/** client-node overlooks a user's `tokenFile`, but follows the same file when an auth provider names it. */
function adoptTokenFiles(config: Config, file: string): void {
  const raw = parse(readFileSync(file, 'utf8')) as RawConfig | null;
  for (const { name, user } of raw?.users ?? []) {
    const known = config.getUsers().find((candidate) => candidate.name === name);
    if (known === undefined || user?.tokenFile === undefined || known.authProvider) continue;
    Object.assign(known, {
      authProvider: { name: 'tokenFile', config: { tokenFile: resolve(dirname(file), user.tokenFile) } },
    });
  }
}

async function credentialsOf(config: Config): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, passphrase, rejectUnauthorized, servername } = options;
  const tls = { ca, cert, key, passphrase, rejectUnauthorized, servername };
  return {
    headers: headersOf(options),
    tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
  };
}

function headersOf({ auth, headers }: RequestOptions): Record<string, string> {
  // A token file may end in a line break, which no header may.
  const said = Object.entries(headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value).trim(),
  ]);
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  return { ...basic, ...Object.fromEntries(said) };
}

/**
 * The library keeps the token of a file for a minute, and that of a helper until it expires: a configuration
 * that was just read knows none.
 */
function renewing(first: Config, load: () => Config): Endpoint['credentials'] {
  let read = shared(() => credentialsOf(first));
  let renewedAt = -Infinity;
  const from = new WeakMap<Credentials, typeof read>();
  return async (refused) => {
    // Many calls are refused together; who comes later finds what the first has renewed.
    if (refused !== undefined && from.get(refused) === read) {
      if (performance.now() - renewedAt < KUBE_TIMES.renewal.ms) return refused;
      const config = load();
      read = shared(() => credentialsOf(config));
      renewedAt = performance.now();
    }
    const source = read;
    const credentials = await source();
    from.set(credentials, source);
    return credentials;
  };
}

/**
 * Callers at the same time get the same answer: an exec plugin runs once, not once for each request that
 * waits for it.
 */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}
