// Address and credentials of an API server, from a kubeconfig.
import type { RequestOptions } from 'node:https';
import { KUBE_TIMES } from '../times.ts';
import { configIn, type Config } from './kubeconfig-files.ts';

/** The client's credentials, and what the server's certificate must satisfy. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: Tls;
}

export type Tls = Pick<
  RequestOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'rejectUnauthorized' | 'servername'
>;

export interface EndpointOptions {
  /** As in `ConnectOptions`. */
  readonly kubeconfig?: string | undefined;
  /** Another context than the current one. */
  readonly context?: string | undefined;
  /** Calls are made as this user, and as a member of these groups: the server allows that or not. */
  readonly as?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
}

export interface Endpoint {
  /** The context's name. */
  readonly context: string;
  /** The context's namespace, or null if it names none. */
  readonly namespace: string | null;
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
export function endpointOf(options: EndpointOptions = {}): Endpoint {
  const config = load(options);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error(noCluster(config, options));
  const server = new URL(cluster.server);
  if (server.protocol !== 'https:' && !cluster.skipTLSVerify) {
    throw new Error(
      `${server.origin} is not an https address: set KUBECONFIG to another server, or set insecure-skip-tls-verify to allow it`,
    );
  }
  const context = config.getCurrentContext();
  return {
    context,
    namespace: config.getContextObject(context)?.namespace ?? null,
    origin: server.origin,
    root: server.pathname.replace(/\/+$/, ''),
    proxyUrl: cluster.proxyUrl ?? null,
    credentials: renewing(config, () => load(options), impersonating(options)),
  };
}

/** The names of the contexts. Throws a plain Error when there is no usable configuration. */
export function contextsIn({ kubeconfig }: Pick<EndpointOptions, 'kubeconfig'>): string[] {
  return load({ kubeconfig })
    .getContexts()
    .map(({ name }) => name);
}

function noCluster(config: Config, { kubeconfig, context }: EndpointOptions): string {
  const where = kubeconfig ?? 'the kubeconfig';
  if (context === undefined) return `No current cluster in ${where}`;
  const names = config.getContexts().map(({ name }) => name);
  return `There is no context ${context} in ${where}: it has ${names.join(', ') || 'none'}`;
}

function impersonating({ as, asGroups = [] }: EndpointOptions): Credentials['headers'] {
  return {
    ...(as === undefined ? {} : { 'impersonate-user': as }),
    ...(asGroups.length === 0 ? {} : { 'impersonate-group': [...asGroups] }),
  };
}

function load({ kubeconfig, context }: EndpointOptions): Config {
  const config = configIn(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

async function credentialsOf(config: Config, more: Credentials['headers']): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, passphrase, rejectUnauthorized, servername } = options;
  const tls = { ca, cert, key, passphrase, rejectUnauthorized, servername };
  return {
    headers: { ...headersOf(options), ...more },
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
function renewing(first: Config, load: () => Config, more: Credentials['headers']): Endpoint['credentials'] {
  let read = shared(() => credentialsOf(first, more));
  let renewedAt = -Infinity;
  const from = new WeakMap<Credentials, typeof read>();
  return async (refused) => {
    // Many calls are refused together; who comes later finds what the first has renewed.
    if (refused !== undefined && from.get(refused) === read) {
      if (performance.now() - renewedAt < KUBE_TIMES.renewal.ms) return refused;
      const config = load();
      read = shared(() => credentialsOf(config, more));
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
