// Both of Temporal's clients in an agent come to a real gateway's door through a real proxy. The gateway's
// name is known to the proxy alone, and its certificate bears no other.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throughProxy } from '../../../workers/agent/proxy.ts';
import { connectClient } from '../../../workers/process/temporal.ts';
import { connectWorker } from '../../../workers/process/temporal-worker.ts';
import { startProxy, type ProxyForTests } from '../../support/servers/network/proxy.ts';
import { bareDoor, type BareDoor } from '../../support/testbeds/door/bare-door.ts';

const CREDENTIALS = 'shop:canary-of-the-proxy';
let folder: string;
let door: BareDoor;
let proxies: Readonly<Record<'plain' | 'secure', ProxyForTests>>;
const said: string[] = [];
const tell = (fields: object | string, text = ''): void =>
  void said.push(`${text} ${JSON.stringify(fields)}`);
const log = { info: tell, warn: tell } as never;

beforeAll(async () => {
  door = await bareDoor({}, undefined, ['gateway.test']);
  const [plain, secure] = await Promise.all([
    startProxy({ credentials: CREDENTIALS }),
    startProxy({ credentials: CREDENTIALS, hasTls: true }),
  ]);
  proxies = { plain, secure };
});
beforeEach(async () => {
  said.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'agent-proxy-'));
  await writeFile(join(folder, 'token'), 'site-1');
  await writeFile(join(folder, 'gateway-ca'), door.authority);
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(async () => {
  await Promise.all([door.stop(), proxies.plain.stop(), proxies.secure.stop()]);
});

const settings = () => ({
  TEMPORAL_ADDRESS: `gateway.test:${door.port}`,
  TEMPORAL_NAMESPACE: 'default',
  TEMPORAL_TLS_CA: join(folder, 'gateway-ca'),
  TEMPORAL_TOKEN_FILE: join(folder, 'token'),
  HUB_PROXY: folder,
});

/** Resolves when a connection to this address has been ended. */
async function refusedAt(address: string): Promise<void> {
  const [host = '', port = ''] = address.split(':');
  const socket = connect(Number(port), host).on('error', () => undefined);
  await new Promise((done) => socket.once('close', done).resume());
}

async function mounted(url: string, ca: string | null): Promise<void> {
  await writeFile(join(folder, 'url'), `${url}\n`);
  if (ca === null) await rm(join(folder, 'ca.crt'), { force: true });
  else await writeFile(join(folder, 'ca.crt'), ca);
}

test.each(['plain', 'secure'] as const)(
  'worker and client come in through a %s proxy, each on a connection of its own, and the log names it without credentials',
  async (kind) => {
    const { urlWithCredentials, url, ca, tunnels } = proxies[kind];
    await mounted(urlWithCredentials, ca);
    const { config, close } = await throughProxy(settings(), log);
    const client = await connectClient(config, { log });
    const worker = await connectWorker(config, { log });
    try {
      await client.workflowService.getSystemInfo({});
      expect(tunnels).toEqual(Array.from({ length: 2 }, () => `gateway.test:${door.port}`));
      expect(door.ended.at(-1)).toMatchObject({ cluster: 'site-1', refusal: null });
    } finally {
      await client.connection.close();
      await worker.close();
      close();
    }
    expect(said).toEqual([expect.stringContaining(url)]);
    expect(said.join()).not.toContain('canary');
  },
);

test('without the file the agent goes itself, as it does without the folder', async () => {
  const config = settings();
  expect((await throughProxy(config, log)).config).toBe(config);
  const { HUB_PROXY: _none, ...alone } = config;
  expect((await throughProxy(alone, log)).config).toBe(alone);
  expect(said).toEqual([]);
});

test('what the proxy refuses is said once, and new credentials count for the next connection', async () => {
  const { url, urlWithCredentials, ca } = proxies.secure;
  await mounted(url, ca);
  const { config, close } = await throughProxy(settings(), log);
  try {
    await refusedAt(config.TEMPORAL_ADDRESS);
    await refusedAt(config.TEMPORAL_ADDRESS);
    expect(said.filter((line) => line.includes('407'))).toHaveLength(1);
    expect(said.at(-1)).toContain('refuses the credentials');
    await mounted(urlWithCredentials, ca);
    const client = await connectClient(config, { log });
    await client.connection.close();
    await mounted(urlWithCredentials, null);
    await refusedAt(config.TEMPORAL_ADDRESS);
    expect(said.at(-1)).toContain('authority that is not known');
  } finally {
    close();
  }
});

test('what is no address is refused by its file, and is not quoted', async () => {
  await mounted('shop:canary@somewhere', null);
  const failed = await throughProxy(settings(), log).catch((error: unknown) => error);
  expect(String(failed)).toContain(join(folder, 'url'));
  expect(String(failed)).not.toContain('canary');
});

test('a proxy in the environment is not used, and the log says where it belongs without quoting it', async () => {
  process.env['HTTPS_PROXY'] = 'http://shop:canary@proxy.example:3128';
  try {
    expect((await throughProxy(settings(), log)).config).toEqual(settings());
    expect(said).toEqual([expect.stringMatching(/HTTPS_PROXY is set and not used.*cappstan-proxy/)]);
    expect(said.join()).not.toContain('canary');
  } finally {
    delete process.env['HTTPS_PROXY'];
  }
});

test('credentials that are not percent-encoded are refused by their file, and are not quoted', async () => {
  await mounted('http://shop:100%canary@proxy.example:3128', null);
  const refused = await throughProxy(settings(), log).catch((error: unknown) => error);
  expect(String(refused)).toMatch(/url is no address of a proxy: .*percent-encoded/);
  expect(String(refused)).not.toContain('canary');
});

test('a tunnel that is there only after the connection for it was closed is ended, and nothing is said', async () => {
  const asked = Promise.withResolvers<Socket>();
  const slow = createServer((socket) => void socket.once('data', () => asked.resolve(socket)));
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  await mounted(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`, null);
  const { config, close } = await throughProxy(settings(), log);
  const [host = '', port = ''] = config.TEMPORAL_ADDRESS.split(':');
  const caller = connect(Number(port), host);
  const socket = await asked.promise;
  close();
  try {
    const isEnded = new Promise((done) => socket.once('close', done).resume());
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    await isEnded;
    expect(said.filter((line) => line.includes('tries again'))).toEqual([]);
  } finally {
    socket.destroy();
    caller.destroy();
    slow.close();
  }
});
