// The proxy that a person's environment names for an API server, as kubectl follows it.

type Environment = Readonly<Record<string, string | undefined>>;

/** HTTPS_PROXY for an https address unless NO_PROXY excepts it; null for none. */
export function proxyFor(server: URL, env: Environment): string | null {
  const named = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const proxy = first(env, named);
  if (proxy === '' || isLoopback(server.hostname)) return null;
  const excepted = first(env, ['NO_PROXY', 'no_proxy']).split(',');
  return excepted.some((one) => covers(one.trim(), server)) ? null : proxy;
}

function first(env: Environment, names: readonly string[]): string {
  return names.map((name) => env[name] ?? '').find((value) => value !== '') ?? '';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

/** `*`, a host, a domain with the hosts in it, or one of these with a port. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const [, host = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (wanted !== undefined && wanted !== actual) return false;
  const domain = host.replace(/^\*?\./, '').toLowerCase();
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
