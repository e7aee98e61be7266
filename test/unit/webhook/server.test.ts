// The webhook's port, which anybody in the hub's network can reach: whatever is sent there, it goes on
// answering the API server.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { issue } from '../../../tls/certificate.ts';
import { PATHS } from '../../../admission/router.ts';
import { CAPACITY } from '../../../workers/webhook/door/bodies.ts';
import { serveAdmission, type AdmissionServer } from '../../../workers/webhook/door/server.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { raw } from '../../support/builders/admission.ts';
import { dial, heardOn, post, said } from '../../support/servers/raw-tls.ts';

const MIB = 1024 * 1024;

function question(object: unknown, oldObject: unknown = null): string {
  const request = {
    uid: 'u',
    kind: { group: 'g', kind: 'Capp' },
    operation: 'CREATE',
    namespace: 'apps',
    name: 'app',
    userInfo: {},
  };
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...request, object, oldObject },
  });
}

describe('a server of its own', () => {
  let server: AdmissionServer;
  let held: (() => void)[] = [];
  const faults: unknown[] = [];
  beforeAll(async () => {
    server = await serveAdmission({
      address: '127.0.0.1:0',
      serving: await issue(['127.0.0.1'], Date.now()),
      reply: async (path, text) => {
        if (path === '/hold') await new Promise<void>((resolve) => held.push(resolve));
        if (path === '/fault') throw new Error('ours');
        return { status: 200, body: { path, bytes: text.length } };
      },
      onError: (_path, error) => faults.push(error),
    });
  });
  afterAll(() => server?.close());
  const release = (): void => {
    for (const go of held) go();
    held = [];
  };
  const answers = async (): Promise<string> =>
    said(server.port, `${post('/x?timeout=5s', { 'Content-Length': 2 })}{}`);

  test.each([
    [
      'a path that is no address',
      'POST // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200/,
    ],
    [
      'a path that opens a bracket',
      'POST http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200/,
    ],
    ['a path of backslashes', 'POST \\\\ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1/],
    [
      'a port that cannot be',
      'POST //a:99999/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200/,
    ],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 405/],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', /^$/],
    [
      'another protocol',
      post('/x', { Connection: 'Upgrade, close', Upgrade: 'websocket', 'Content-Length': 0 }),
      /^HTTP\/1\.1/,
    ],
    ['two lengths', `${post('/x', { 'Content-Length': '5, 6' })}hello`, /^HTTP\/1\.1 400/],
    ['a length that is none', post('/x', { 'Content-Length': 'much' }), /^HTTP\/1\.1 400/],
    ['chunks that are none', `${post('/x', { 'Transfer-Encoding': 'chunked' })}zzz\r\n`, /^HTTP\/1\.1 400/],
    ['headers without end', `POST / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
    ['no HTTP', Buffer.from([0, 255, 13, 10, 13, 10]), /^HTTP\/1\.1 400/],
  ])('goes on after %s', async (_, bytes, answer) => {
    expect(await said(server.port, bytes)).toMatch(answer);
    expect(await answers()).toMatch(/^HTTP\/1\.1 200[^]*"\/x"/);
  });

  test('tells of its own faults only, not of those who hang up', async () => {
    const gone = await dial(server.port);
    gone.on('error', () => undefined);
    gone.write(`${post('/x', { 'Content-Length': 100 })}{`);
    gone.destroy();
    expect(await answers()).toContain('200');
    expect(faults).toEqual([]);
    expect(await said(server.port, post('/fault', { 'Content-Length': 0 }))).toMatch(/^HTTP\/1\.1 500/);
    expect(faults).toHaveLength(1);
  });

  test('reads what the API server can have to ask: the largest object, as it was and as it is to be', async () => {
    const large = raw({}, { annotations: { filling: 'x'.repeat(1.5 * MIB - 4096) } });
    const text = question(large, large);
    expect(text.length).toBeGreaterThan(2.9 * MIB);
    expect(await said(server.port, post('/x', { 'Content-Length': text.length }) + text)).toMatch(
      /^HTTP\/1\.1 200/,
    );
  });

  test('reads no request that is larger than any object, told or found to be', async () => {
    expect(await said(server.port, post('/x', { 'Content-Length': CAPACITY.largest + 1 }))).toMatch(
      /^HTTP\/1\.1 413/,
    );
    const chunk = `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`;
    const socket = await dial(server.port);
    const heard = heardOn(socket);
    socket.write(post('/x', { 'Transfer-Encoding': 'chunked' }));
    for (let sent = 0; sent <= CAPACITY.largest / MIB; sent += 1) socket.write(chunk);
    socket.write('0\r\n\r\n');
    expect(await heard).toMatch(/^HTTP\/1\.1 413/);
  });

  test('holds no more than there is room for: who comes beyond is told to come again, and finds room later', async () => {
    const count = CAPACITY.total / (2 * MIB);
    const large = post('/hold', { 'Content-Length': 2 * MIB }) + 'x'.repeat(2 * MIB);
    const heard = Array.from({ length: count }, () => said(server.port, large));
    await eventually(() => (held.length === count ? true : undefined));
    const refused = await answers();
    expect(refused).toMatch(/^HTTP\/1\.1 429/);
    expect(refused).toMatch(/retry-after: 1\r\n/i);
    release();
    for (const answer of await Promise.all(heard)) expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(await answers()).toMatch(/^HTTP\/1\.1 200/);
  });

  test('waits for no slow sender, and has its room back', async () => {
    const sockets = await Promise.all(
      Array.from({ length: CAPACITY.total / (2 * MIB) }, () => dial(server.port)),
    );
    const slow = sockets.map((socket) => heardOn(socket));
    for (const socket of sockets)
      socket.write(post('/x', { 'Content-Length': 3 * MIB }) + 'x'.repeat(2 * MIB));
    await eventually(async () => ((await answers()).startsWith('HTTP/1.1 200') ? undefined : true));
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^(HTTP\/1\.1 408|$)/);
    expect(await answers()).toMatch(/^HTTP\/1\.1 200/);
  }, 200_000);
});

describe('connections that others hold open', () => {
  const served = async (room?: { strangers: number; resting: number }): Promise<AdmissionServer> =>
    serveAdmission({
      address: '127.0.0.1:0',
      serving: await issue(['127.0.0.1'], Date.now()),
      reply: async (path) => {
        if (path === '/hold') await new Promise<void>((resolve) => (release = resolve));
        return { status: 200, body: { path } };
      },
      onError: () => undefined,
      ...(room === undefined ? {} : { room }),
    });
  let server: AdmissionServer;
  let release: (() => void) | null = null;
  let others: Socket[] = [];
  afterEach(async () => {
    for (const socket of others) socket.destroy();
    others = [];
    await server.close();
  });
  const kept = `${post('/x', { Connection: 'keep-alive', 'Content-Length': 2 })}{}`;
  const honest = async (): Promise<string> => said(server.port, `${post('/x', { 'Content-Length': 2 })}{}`);

  test('however many say nothing, and come again, who asks gets an answer', async () => {
    server = await served();
    const come = async (): Promise<void> => {
      const socket = connect(server.port, '127.0.0.1')
        .on('error', () => undefined)
        .resume();
      others.push(socket);
      await once(socket, 'connect');
    };
    for (let count = 0; count < 600; count += 50) await Promise.all(Array.from({ length: 50 }, come));
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await honest()).toMatch(/^HTTP\/1\.1 200/);
      await Promise.all(Array.from({ length: 50 }, come));
    }
    const ended = await eventually(() => {
      const gone = others.filter((socket) => socket.destroyed || socket.readableEnded).length;
      return gone >= others.length - 256 ? gone : undefined;
    });
    expect(ended).toBeLessThan(others.length);
  }, 60_000);

  test('who has asked is not ended for those who have not, nor before the answer', async () => {
    server = await served({ strangers: 2, resting: 1 });
    const asking = await dial(server.port);
    const heard = heardOn(asking);
    asking.write(post('/hold', { 'Content-Length': 0 }));
    await eventually(() => (release === null ? undefined : true));
    const resting = await dial(server.port);
    resting.write(kept);
    await once(resting, 'data');
    others.push(resting);
    for (let count = 0; count < 3; count += 1) {
      others.push((await dial(server.port)).on('error', () => undefined).resume());
    }
    const [, first] = others;
    await eventually(() => (first?.destroyed === true || first?.readableEnded === true ? true : undefined));
    expect(resting.destroyed).toBe(false);
    resting.write(kept);
    await once(resting, 'data');
    release?.();
    expect(await heard).toMatch(/^HTTP\/1\.1 200/);
  });

  test('of those who have been answered and stay the oldest goes', async () => {
    server = await served({ strangers: 2, resting: 2 });
    for (let count = 0; count < 3; count += 1) {
      const socket = (await dial(server.port)).on('error', () => undefined);
      others.push(socket);
      socket.write(kept);
      await once(socket, 'data');
    }
    const [oldest, ...rest] = others;
    await eventually(() => (oldest?.readableEnded === true || oldest?.destroyed ? true : undefined));
    expect(rest.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });
});

describe('a process with the heap that the chart gives it', () => {
  const { webhook } = parse(
    readFileSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), 'utf8'),
  ) as {
    webhook: { heapMiB: number; resources: { limits: { memory: string } } };
  };
  let child: ChildProcess;
  let port: number;
  beforeAll(async () => {
    const flags = [
      `--max-old-space-size=${webhook.heapMiB}`,
      '--max-semi-space-size=8',
      '--optimize-for-size',
    ];
    child = spawn(
      'node',
      [...flags, join(import.meta.dirname, '../../support/servers/admission-process.ts')],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    port = Number(line.toString());
  }, 200_000);
  afterAll(() => child?.kill());

  /** What becomes of three bytes of JSON in memory is some twenty times as much. */
  const worst = (bytes: number): string => {
    const empty = { ...raw({ site: 'atlantis' }), more: [] as unknown[] };
    return question(empty).replace('"more":[]', `"more":[${'{},'.repeat(Math.floor((bytes - 1024) / 3))}{}]`);
  };

  test('stands as many of the worst requests at once as anybody sends', async () => {
    const text = worst(CAPACITY.largest);
    const bytes = post(PATHS.validateCapp, { 'Content-Length': text.length }) + text;
    for (let turn = 0; turn < 3; turn += 1) {
      const heard = await Promise.all(Array.from({ length: 12 }, () => said(port, bytes)));
      const statuses = heard.map((answer) => answer.slice(9, 12));
      expect(statuses).toContain('200');
      expect(statuses.filter((status) => !['200', '408', '429', ''].includes(status))).toEqual([]);
    }
    expect(child.exitCode).toBeNull();
    const memory = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    expect(Number(memory) / 1024).toBeLessThan(Number.parseInt(webhook.resources.limits.memory, 10));
  }, 120_000);
});
