// What `cappstan join` is told of the proxy between a site and its hub, and what it leaves of it on the site.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NAMESPACE, SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { PROXY_CA, PROXY_SECRET, PROXY_URL } from '../../crds/join/site-proxy.ts';
import type { Kube } from '../../kube/client.ts';
import { nameOf, type Proxy, type ProxyFailure } from '../../kube/http/tunnel.ts';
import { whyUnread } from '../local/given.ts';
import { applyObjects } from '../local/kubernetes/apply.ts';
import { JoinRefused, NobodyThere } from './refused.ts';
import { ADD_ON_PLACE } from './site.ts';

export interface ProxyFlags {
  readonly proxy?: string | undefined;
  readonly 'proxy-ca'?: string | undefined;
  readonly 'proxy-credentials'?: string | undefined;
}

const SECRET_KEY = { namespace: ADD_ON_PLACE, name: PROXY_SECRET } as const;

/** Null without `--proxy`. Throws JoinRefused. What it says quotes no credentials. */
export function proxyOf(flags: ProxyFlags): Proxy | null {
  const { proxy, 'proxy-ca': caFile, 'proxy-credentials': credentialsFile } = flags;
  if (proxy === undefined) {
    if (caFile === undefined && credentialsFile === undefined) return null;
    throw new JoinRefused([
      '--proxy-ca and --proxy-credentials belong to a proxy: name it with --proxy <url>, or leave them out.',
    ]);
  }
  const url = addressIn(proxy);
  if (caFile !== undefined && url.protocol === 'http:')
    throw new JoinRefused([
      '--proxy-ca is for a proxy with TLS: write its address as https://host:port, or leave --proxy-ca out.',
    ]);
  // OCM's agent checks hub and proxy by one list, so no authority is taken for a proxy that nobody named.
  if (caFile === undefined && url.protocol === 'https:')
    throw new JoinRefused([
      '--proxy: a proxy with TLS needs the authority that has signed its certificate, also one that the machine knows: give its file, --proxy-ca <file>.',
    ]);
  if (credentialsFile !== undefined) {
    const [user = '', ...password] = read('--proxy-credentials', credentialsFile).trim().split(':');
    if (user === '' || password.length === 0)
      throw new JoinRefused([`--proxy-credentials: ${credentialsFile} must be one line, user:password.`]);
    // As both are in the address: Go and undici decode them.
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password.join(':'));
  }
  return { url: url.href.replace(/\/$/, ''), ca: caFile === undefined ? null : authorityIn(caFile) };
}

function addressIn(proxy: string): URL {
  const url = URL.canParse(proxy) ? new URL(proxy) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new JoinRefused(['--proxy must be http://host:port or https://host:port.']);
  if (url.username !== '' || url.password !== '')
    throw new JoinRefused([
      '--proxy must have no user and no password: whoever is on this machine can read them there. Write them as user:password into a file, and give --proxy-credentials <file>.',
    ]);
  return url;
}

function authorityIn(file: string): string {
  const text = read('--proxy-ca', file);
  try {
    new X509Certificate(text).toString();
    return text;
  } catch {
    throw new JoinRefused([
      `--proxy-ca: ${file} is no certificate in PEM. Give the file of the authority that signed the certificate of the proxy.`,
    ]);
  }
}

function read(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new JoinRefused([`${flag}: ${file} ${whyUnread(error)}. Give a file that you may read.`]);
  }
}

/** One sentence with what to do. */
export function refusedBy(proxy: Proxy, { fault, detail }: ProxyFailure, hub: string): JoinRefused {
  const name = nameOf(proxy);
  const sentences = {
    credentials: `--proxy: ${name} refuses the credentials (${detail}). Write the right ones as user:password into a file, and give --proxy-credentials <file>.`,
    untrusted: `--proxy: ${name} has a certificate of an authority that is ${proxy.ca === null ? 'not known here' : 'not the one of --proxy-ca'} (${detail}). Give the file of the right one: --proxy-ca <file>.`,
    refused: `--proxy: ${name} answers ${detail} and does not connect to ${hub}. Have its operator allow CONNECT to that address, and to the hub’s gateway.`,
    unreachable: `--proxy: ${name} cannot be reached (${detail}). Look whether address and scheme are right.`,
  };
  // Such as 502: the proxy would connect us, and finds nobody there.
  const isNobodyThere = fault === 'refused' && Number(detail) >= 500;
  return new (isNobodyThere ? NobodyThere : JoinRefused)([sentences[fault]]);
}

/** Has our agent come through this proxy, or through none. Safe to repeat. */
export async function writeProxy(site: Kube, proxy: Proxy | null): Promise<void> {
  if (proxy === null) return void (await site.remove(SECRET, SECRET_KEY));
  const { apiVersion, kind } = SECRET;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const data = {
    [PROXY_URL]: base64(proxy.url),
    ...(proxy.ca === null ? {} : { [PROXY_CA]: base64(proxy.ca) }),
  };
  const secret: Secret = { apiVersion, kind, metadata: SECRET_KEY, type: 'Opaque', data };
  const place = { apiVersion: NAMESPACE.apiVersion, kind: NAMESPACE.kind, metadata: { name: ADD_ON_PLACE } };
  await applyObjects(site, [place, secret]);
}

/** By which our agent comes. Null: by none, or by one that the site has noted in a way that nobody reads. */
export async function proxyNoted(site: Kube): Promise<Proxy | null> {
  const data = (await site.get<Secret>(SECRET, SECRET_KEY))?.data ?? {};
  const of = (key: string): string | null =>
    data[key] === undefined ? null : Buffer.from(data[key], 'base64').toString();
  const url = of(PROXY_URL);
  return url === null || !URL.canParse(url) ? null : { url, ca: of(PROXY_CA) };
}
