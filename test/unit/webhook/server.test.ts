// The webhook's port, which anybody in the hub's network can reach: whatever is sent there, it goes on
// answering the API server.
import { issue } from '../../../tls/certificate.ts';
import { WEBHOOK_TIMES } from '../../../admission/times.ts';
import { serveAdmission, type AdmissionServer } from '../../../workers/webhook/door/server.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { question, raw } from '../../support/builders/admission.ts';
import { dial, heardOn, post, said } from '../../support/servers/network/raw-tls.ts';

const MIB = 1024 * 1024;
/** As docs/security.md has them: of one request, and of all. */
const [LARGEST, TOTAL] = [3.25 * MIB, 6 * MIB];

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
    const whole = post('/x', { 'Content-Length': LARGEST }) + 'x'.repeat(LARGEST);
    expect(await said(server.port, whole)).toMatch(/^HTTP\/1\.1 200/);
    expect(await said(server.port, post('/x', { 'Content-Length': LARGEST + 1 }))).toMatch(/^HTTP\/1\.1 413/);
    const chunk = `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`;
    const socket = await dial(server.port);
    const heard = heardOn(socket);
    socket.write(post('/x', { 'Transfer-Encoding': 'chunked' }));
    for (let sent = 0; sent <= LARGEST / MIB; sent += 1) socket.write(chunk);
    socket.write('0\r\n\r\n');
    expect(await heard).toMatch(/^HTTP\/1\.1 413/);
  });

  test('holds no more than there is room for: who comes beyond is told to come again, and finds room later', async () => {
    const count = TOTAL / (2 * MIB);
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
    const sockets = await Promise.all(Array.from({ length: TOTAL / (2 * MIB) }, () => dial(server.port)));
    const slow = sockets.map((socket) => heardOn(socket));
    for (const socket of sockets)
      socket.write(post('/x', { 'Content-Length': 3 * MIB }) + 'x'.repeat(2 * MIB));
    await eventually(async () => ((await answers()).startsWith('HTTP/1.1 200') ? undefined : true));
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^(HTTP\/1\.1 408|$)/);
    expect(WEBHOOK_TIMES.request.ms).toBe(5_000);
    expect(await answers()).toMatch(/^HTTP\/1\.1 200/);
  }, 200_000);
});
