// A forward proxy on loopback (proxy-chain), with TLS and credentials if asked for. Names that end with
// `.test` lead to loopback, and nobody but the proxy knows them: who reaches them has come through it.
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { RequestError, Server } from 'proxy-chain';
import { issue } from '../../../../tls/certificate.ts';

/** It connects nobody to this one. */
export const FORBIDDEN = 'forbidden.test';

const BAD_GATEWAY = 502;

export interface ProxyOptions {
  readonly hasTls?: boolean;
  /** `user:password`; without them it asks for none. */
  readonly credentials?: string;
}

export interface ProxyForTests {
  /** Without credentials. */
  readonly url: string;
  /** The same with credentials. */
  readonly urlWithCredentials: string;
  /** PEM of what has signed its certificate; null without TLS. */
  readonly ca: string | null;
  /** host:port of each tunnel that it was asked for with the right credentials. */
  readonly tunnels: string[];
  /** Ends all tunnels, and refuses further ones until `comesBack`, at the same address. */
  dies(): Promise<void>;
  comesBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProxy({ hasTls = false, credentials }: ProxyOptions = {}): Promise<ProxyForTests> {
  const { cert, key, authority } = await issue(['127.0.0.1'], Date.now());
  const tunnels: string[] = [];
  const serverAt = async (port: number): Promise<Server> => {
    const server = new Server({
      host: '127.0.0.1',
      port,
      ...(hasTls ? { serverType: 'https', httpsOptions: { cert, key } } : { serverType: 'http' }),
      prepareRequestFunction: async ({ username, password, hostname, port: wanted }) => {
        const isKnown = credentials === undefined || credentials === `${username}:${password}`;
        if (isKnown && hostname === FORBIDDEN) throw new RequestError('not there', 403);
        if (isKnown) tunnels.push(`${hostname}:${wanted}`);
        if (isKnown && !(await isSomebodyAt(hostname, wanted)))
          throw new RequestError('nobody there', BAD_GATEWAY);
        return { requestAuthentication: !isKnown, dnsLookup };
      },
    });
    server.on('requestFailed', (_failed: { readonly error: RequestError }) => undefined);
    await server.listen();
    return server;
  };
  let server = await serverAt(0);
  const { port } = server;
  const url = `${hasTls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const whole = new URL(url);
  const [user = '', password = ''] = (credentials ?? '').split(':');
  Object.assign(whole, { username: encodeURIComponent(user), password: encodeURIComponent(password) });
  return {
    url,
    urlWithCredentials: whole.href.replace(/\/$/, ''),
    ca: hasTls ? authority : null,
    tunnels,
    dies: () => server.close(true),
    comesBack: async () => {
      server = await serverAt(port);
    },
    stop: () => server.close(true),
  };
}

/** proxy-chain itself would only close the connection; Squid and Envoy say that nobody is there. */
async function isSomebodyAt(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, lookup: dnsLookup });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const dnsLookup = ((name: string, ...rest: unknown[]) =>
  Reflect.apply(lookup, null, [
    name.endsWith('.test') ? '127.0.0.1' : name,
    ...rest,
  ]) as unknown) as typeof lookup;
