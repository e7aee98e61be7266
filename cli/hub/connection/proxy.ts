// The proxy that a person's environment names for an API server, as kubectl follows it.
import { BlockList, isIP } from 'node:net';
import { bareHost } from '../../../kube/http/bare-host.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** HTTPS_PROXY for an https address unless NO_PROXY excepts it; null for none. */
export function proxyFor(server: URL, env: Environment): string | null {
  const named = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const proxy = first(env, named);
  if (proxy === '' || isLoopback(server.hostname)) return null;
  const excepted = first(env, ['NO_PROXY', 'no_proxy']).split(',');
  if (excepted.some((one) => covers(one.trim(), server))) return null;
  return /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function first(env: Environment, names: readonly string[]): string {
  return names.map((name) => env[name] ?? '').find((value) => value !== '') ?? '';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

/** `*`, a host, a domain with the hosts in it, or one of these with a port; or a range of addresses. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(entry, hostname);
  const [, host = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (wanted !== undefined && wanted !== actual) return false;
  const domain = host.replace(/^\*?\./, '').toLowerCase();
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Of a range such as 10.96.0.0/12. A name is in none: nobody asks DNS here. */
function isWithin(range: string, hostname: string): boolean {
  const [address = '', prefix = ''] = range.split('/');
  const host = bareHost(hostname);
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  if (version === 0 || isIP(host) !== version || !/^\d{1,3}$/.test(prefix) || Number(prefix) > most)
    return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family);
  return list.check(host, family);
}
