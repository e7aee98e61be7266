// A connection through an HTTP proxy, by CONNECT (RFC 9110, 9.3.6). What goes through it is TLS from end to
// end: the proxy carries it, and cannot read it.
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { KUBE_TIMES } from '../times.ts';
import { bareHost } from './bare-host.ts';

export interface Proxy {
  /** `http://` or `https://`, which is how the proxy itself is spoken to; with its user and password. */
  readonly url: string;
  /** PEM of what has signed its certificate; null for the authorities that Node knows. */
  readonly ca: string | null;
}

/** `host:port`. */
export type TunnelTarget = string;

/**
 * `credentials`: it wants others. `untrusted`: nobody known has signed its certificate. `refused`: it does
 * not connect there. `unreachable`: it does not answer as a proxy.
 */
export type ProxyFault = 'credentials' | 'untrusted' | 'refused' | 'unreachable';

/** Its message and its fields have no credentials. */
export class ProxyFailure extends Error {
  readonly fault: ProxyFault;
  /** An HTTP status or the code of an error, such as 403 or ECONNREFUSED. */
  readonly detail: string;

  constructor(proxy: Proxy, fault: ProxyFault, detail: string) {
    super(`The proxy ${nameOf(proxy)} ${SAID[fault]} (${detail})`);
    this.name = 'ProxyFailure';
    this.fault = fault;
    this.detail = detail;
  }
}

const SAID: Readonly<Record<ProxyFault, string>> = {
  credentials: 'refuses the credentials',
  untrusted: 'has a certificate of an authority that is not known here',
  refused: 'does not connect us to the hub',
  unreachable: 'cannot be reached',
};

const OK = 200;
const WANTS_OTHERS = 407;
/** Codes of OpenSSL for a certificate that ends with no authority that is trusted. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Without its credentials, for messages. */
export function nameOf({ url }: Pick<Proxy, 'url'>): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** The bytes to and from the target. Throws ProxyFailure. */
export function tunnel(
  proxy: Proxy,
  target: TunnelTarget,
  withinMs: number = KUBE_TIMES.tunnel.ms,
): Promise<Duplex> {
  const { protocol, hostname, port, username, password } = new URL(proxy.url);
  const isSecure = protocol === 'https:';
  const host = bareHost(hostname);
  const basic = [username, password].map(decodeURIComponent).join(':');
  const call = (isSecure ? secure : plain)({
    method: 'CONNECT',
    host,
    // Of the proxy: Node would take that of the header.
    servername: isIP(host) === 0 ? host : '',
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    path: target,
    headers: {
      host: target,
      ...(basic === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(basic).toString('base64')}` }),
    },
    agent: false,
    ...(proxy.ca === null ? {} : { ca: proxy.ca }),
  });
  const timer = setTimeout(() => call.destroy(new Error('it does not answer')), withinMs);
  return new Promise<Duplex>((resolve, reject) => {
    call.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode !== OK) {
        socket.destroy();
        const fault = statusCode === WANTS_OTHERS ? 'credentials' : 'refused';
        return reject(new ProxyFailure(proxy, fault, String(statusCode)));
      }
      if (head.length > 0) socket.unshift(head);
      return resolve(socket);
    });
    call.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const fault = UNTRUSTED.has(code ?? '') ? 'untrusted' : 'unreachable';
      reject(new ProxyFailure(proxy, fault, code ?? message));
    });
    call.end();
  }).finally(() => clearTimeout(timer));
}
