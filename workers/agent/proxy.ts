// How an agent reaches the hub where its site has no way out but a proxy. Temporal's SDK knows no proxy with
// TLS, and its client knows none at all: both connect to a port of this process, on loopback, from which each
// connection goes through the proxy to the hub, and nowhere else.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { z } from 'zod';
import { PROXY_CA, PROXY_URL } from '../../crds/join/site-proxy.ts';
import { nameOf, tunnel, type Proxy, type TunnelTarget } from '../../kube/http/tunnel.ts';
import type { Logger } from '../process/log.ts';
import type { TemporalConfig } from '../process/temporal.ts';

export const PROXY = {
  HUB_PROXY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'path of the folder with `url`, and `ca.crt` if need be, of the proxy on the way to TEMPORAL_ADDRESS; without that file there is none',
    ),
} as const;

export interface ProxyWay<T> {
  /** What to connect with. */
  readonly config: T;
  /** Ends what is open. */
  close(): void;
}

/** The settings as they are if the site has no proxy. Throws an Error for a proxy that cannot be read. */
export async function throughProxy<T extends TemporalConfig & z.infer<z.ZodObject<typeof PROXY>>>(
  config: T,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<ProxyWay<T>> {
  const { HUB_PROXY: folder, TEMPORAL_ADDRESS: target } = config;
  if (folder === undefined || !existsSync(join(folder, PROXY_URL))) {
    warnOfVariable(log);
    return { config, close: () => undefined };
  }
  log.info({ proxy: nameOf(proxyIn(folder)), hub: target }, 'the hub is reached through a proxy');
  const { port, close } = await forward(() => proxyIn(folder), target, log);
  const host = target.slice(0, target.lastIndexOf(':'));
  return {
    config: { ...config, TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_SERVER_NAME: host },
    close,
  };
}

/** OCM sets it for an add-on whose AddOnDeploymentConfig has `proxyConfig`. It may hold a password. */
function warnOfVariable(log: Pick<Logger, 'warn'>): void {
  if ((process.env['HTTPS_PROXY'] ?? '') !== '')
    log.warn(
      'HTTPS_PROXY is set and not used. Name the proxy on the way to the hub in the Secret cappstan-proxy of this namespace, key url.',
    );
}

/** Read for each connection: credentials and authority may have been replaced. */
function proxyIn(folder: string): Proxy {
  const url = readFileSync(join(folder, PROXY_URL), 'utf8').trim();
  if (!isProxy(url))
    throw new Error(
      `${join(folder, PROXY_URL)} is no address of a proxy: write http://host:port or https://host:port into the Secret, user and password percent-encoded`,
    );
  const ca = join(folder, PROXY_CA);
  return { url, ca: existsSync(ca) ? readFileSync(ca, 'utf8') : null };
}

/** A `%` in the credentials must begin an encoded byte. */
function isProxy(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  try {
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol);
  } catch {
    return false;
  }
}

async function forward(
  proxy: () => Proxy,
  target: TunnelTarget,
  log: Pick<Logger, 'warn'>,
): Promise<{ readonly port: number; close(): void }> {
  const open = new Set<Socket>();
  let told = '';
  const connect = async (socket: Socket): Promise<void> => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    socket.setNoDelay(true);
    try {
      const far = await tunnel(proxy(), target);
      told = '';
      // Who asked may be gone by now.
      if (socket.destroyed) far.destroy();
      else pipeline(socket, far, socket, () => undefined);
    } catch (error) {
      socket.destroy();
      const said = error instanceof Error ? error.message : String(error);
      // The SDK tries again and again.
      if (said !== told) log.warn({ hub: target }, `${said}. The agent tries again`);
      told = said;
    }
  };
  const server = createServer((socket) => void connect(socket));
  await listening(server);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
