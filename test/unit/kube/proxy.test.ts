// The way to an API server through real proxies: with and without TLS of their own, with credentials, and
// with what is wrong. The server's name is known to the proxy alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { nameOf, ProxyFailure, tunnel } from '../../../kube/http/tunnel.ts';
import { issue } from '../../../tls/certificate.ts';
import { FORBIDDEN, startProxy, type ProxyForTests } from '../../support/servers/network/proxy.ts';

const CREDENTIALS = 'shop:p@ss/wörd';
const HUB = 'hub.test';

let folder: string;
let hub: Server;
let target: string;
let authority: string;
let [plain, secure]: ProxyForTests[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const pair = await issue([HUB], Date.now());
  ({ authority } = pair);
  hub = createServer({ cert: pair.cert, key: pair.key }, ({ headers }, answer) => {
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify({ isProxys: headers['proxy-authorization'] !== undefined }));
  });
  await new Promise<void>((done) => hub.listen(0, '127.0.0.1', done));
  target = `${HUB}:${(hub.address() as AddressInfo).port}`;
  [plain, secure] = await Promise.all([
    startProxy({ credentials: CREDENTIALS }),
    startProxy({ credentials: CREDENTIALS, hasTls: true }),
  ]);
});
afterAll(async () => {
  await Promise.all([plain?.stop(), secure?.stop()]);
  hub.closeAllConnections();
  await new Promise((done) => hub.close(done));
  rmSync(folder, { recursive: true });
});

const proxy = (hasTls: boolean): ProxyForTests => {
  const found = hasTls ? secure : plain;
  if (found === undefined) throw new Error('not started');
  return found;
};
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

/** A client as OCM's agent and ours are configured: one file, one list of authorities. */
async function client(proxyUrl: string | null, authorities: readonly (string | null)[]): Promise<Kube> {
  const ca = join(folder, 'ca.crt');
  writeFileSync(ca, authorities.join('\n'));
  const kubeconfig = join(folder, 'kubeconfig');
  const way = proxyUrl === null ? {} : { proxyUrl };
  await writeKubeconfig(kubeconfig, {
    cluster: 'hub',
    server: `https://${target}`,
    ca,
    credential: { token: 'a token' },
    ...way,
  });
  return connect({ kubeconfig, deadlineMs: 10_000 });
}

test.each([false, true])(
  'a kubeconfig with proxy-url leads through the proxy (TLS of its own: %s), which gets its credentials and the server does not',
  async (hasTls) => {
    const { urlWithCredentials, ca, tunnels } = proxy(hasTls);
    const before = tunnels.length;
    const kube = await client(urlWithCredentials, [authority, ca]);
    try {
      expect(await kube.raw('GET', '/version')).toEqual({ isProxys: false });
    } finally {
      await kube.close();
    }
    expect(tunnels.slice(before)).toEqual([target]);
  },
);

test('there is no other way to that server, and none through a proxy of an unknown authority', async () => {
  const { urlWithCredentials, tunnels } = proxy(true);
  const before = tunnels.length;
  for (const way of [null, urlWithCredentials]) {
    const kube = await client(way, [authority]);
    expect(await failureOf(kube.raw('GET', '/version'))).toMatchObject({ reason: 'Unreachable' });
    await kube.close();
  }
  expect(tunnels).toHaveLength(before);
});

test.each([false, true])('a tunnel carries bytes to its target (TLS of its own: %s)', async (hasTls) => {
  const { urlWithCredentials: url, ca } = proxy(hasTls);
  const socket = await tunnel({ url, ca }, target);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test.each<[string, () => { url: string; ca: string | null }, ProxyFailure['fault'], string]>([
  [
    'wrong credentials',
    () => ({ ...proxy(false), url: proxy(false).url.replace('//', '//shop:no@') }),
    'credentials',
    '407',
  ],
  ['no credentials', () => proxy(true), 'credentials', '407'],
  [
    'an unknown authority',
    () => ({ url: proxy(true).urlWithCredentials, ca: null }),
    'untrusted',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  ['another authority', () => ({ url: proxy(true).urlWithCredentials, ca: authority }), 'untrusted', ''],
  ['no proxy at all', () => ({ url: 'http://shop:p@127.0.0.1:1', ca: null }), 'unreachable', 'ECONNREFUSED'],
  [
    'TLS where there is none',
    () => ({ url: proxy(false).urlWithCredentials.replace('http:', 'https:'), ca: null }),
    'unreachable',
    '',
  ],
])('%s: the failure says what it is, and quotes no credentials', async (_what, given, fault, detail) => {
  const failure = await failureOf(tunnel(given(), target));
  expect(failure).toBeInstanceOf(ProxyFailure);
  expect(failure).toMatchObject({ fault, detail: expect.stringContaining(detail) as string });
  const { message } = failure as ProxyFailure;
  expect(message).toContain(nameOf(given()));
  expect(message).not.toMatch(/shop|p@ss|p%40ss/);
});

test('a target to which the proxy cannot connect is refused by the proxy', async () => {
  const { urlWithCredentials: url, ca } = proxy(false);
  expect(await failureOf(tunnel({ url, ca }, `${FORBIDDEN}:443`))).toMatchObject({
    fault: 'refused',
    detail: '403',
  });
});

test('a proxy that takes the connection and says nothing is given up', async () => {
  const { createServer: listen } = await import('node:net');
  const silent = listen();
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await failureOf(tunnel({ url, ca: null }, target, 50))).toMatchObject({ fault: 'unreachable' });
  silent.close();
});
