// The door of the dashboard, attacked by requests that a browser, another page, another app on loopback, or a
// program would send.
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { request as requestTo } from 'node:http';
import type { Inside } from '../../../../cli/dashboard/door/inside.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  aDoor,
  ask,
  closeDoors,
  enter,
  heard,
  INSIDE,
  ours,
  tabOf,
} from '../../../support/testbeds/dashboard/doors.ts';

afterEach(closeDoors);

const READS = ['/read?of=x', '/stream'] as const;

test('a page comes in with the printed secret, and reads, streams and writes with the key of its tab', async () => {
  const door = await aDoor();
  const headers = await tabOf(door);
  expect(await ask(door, '/read?of=x', { headers })).toMatchObject({ status: 200, text: '{"of":"x"}' });
  expect(await ask(door, '/stream', { headers })).toMatchObject({ status: 200, text: '{"picture":1}\n' });
  const act = { method: 'POST', headers, body: '{"act":"pause"}' };
  expect(await ask(door, '/act', act)).toMatchObject({ status: 200 });
  expect(heard).toEqual([{ act: 'pause' }]);
});

test('the secret stands in no request line, and its cookie is for this page alone', async () => {
  const door = await aDoor();
  expect(new URL(door.address)).toMatchObject({ hostname: '127.0.0.1', pathname: '/', search: '' });
  expect(new URL(door.address).hash.length).toBeGreaterThan(40);
  const { port } = new URL(door.origin);
  expect((await enter(door)).headers['set-cookie']).toEqual([
    expect.stringMatching(new RegExp(`^cappstan-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`)),
  ]);
});

test('the secret is used up by its first use, and a wrong one does not use it up', async () => {
  const door = await aDoor();
  expect((await enter(door, 'wrong')).status).toBe(403);
  expect((await enter(door, '')).status).toBe(403);
  expect((await enter(door)).status).toBe(200);
  const again = await enter(door);
  expect(again).toMatchObject({ status: 403, text: expect.stringContaining('has been used') });
  expect(again.headers['set-cookie']).toBeUndefined();
});

test.each(READS)('%s needs the cookie and the key, each', async (path) => {
  const door = await aDoor();
  const { cookie, 'x-cappstan-key': key, ...rest } = await tabOf(door);
  const wrong: Record<string, string>[] = [
    rest,
    { ...rest, cookie: cookie ?? '' },
    { ...rest, 'x-cappstan-key': key ?? '' },
    { ...rest, cookie: cookie ?? '', 'x-cappstan-key': `${key}x` },
    { ...rest, cookie: `${cookie}x`, 'x-cappstan-key': key ?? '' },
  ];
  for (const headers of wrong) expect((await ask(door, path, { headers })).status).toBe(403);
});

test('a cookie alone opens no tab: any app that is forwarded to loopback gets it', async () => {
  const door = await aDoor();
  const { cookie = '' } = await tabOf(door);
  const headers = { ...ours(door), cookie };
  expect((await ask(door, '/tab', { method: 'POST', headers, body: '{}' })).status).toBe(403);
});

test('the cookie and the keys of another dashboard count for nothing', async () => {
  const [one, other] = [await aDoor(), await aDoor()];
  const headers = await tabOf(other);
  await tabOf(one);
  const here = { ...headers, origin: one.origin };
  expect((await ask(one, '/read', { headers: here })).status).toBe(403);
  // Its name has the port, so that both can be open in one browser.
  const renamed = {
    ...here,
    cookie: (headers['cookie'] ?? '').replace(/^[^=]+/, `cappstan-${new URL(one.origin).port}`),
  };
  expect((await ask(one, '/read', { headers: renamed })).status).toBe(403);
});

test.each(['/', '/page.js', '/enter', '/tab', ...READS, '/act', '/nothing'])(
  '%s is not answered for another Host (DNS rebinding)',
  async (path) => {
    const door = await aDoor();
    const headers = await tabOf(door);
    const { port } = new URL(door.origin);
    const hosts = ['evil.example', `evil.example:${port}`, `localhost:${port}`, '127.0.0.1', `127.0.0.1:1`];
    for (const host of hosts)
      expect((await ask(door, path, { headers: { ...headers, host } })).status).toBe(421);
  },
);

test.each(['cross-site', 'same-site', 'none', undefined])(
  'a request from a page that is %s is refused',
  async (site) => {
    const door = await aDoor();
    const { 'sec-fetch-site': _ours, ...rest } = await tabOf(door);
    const headers = { ...rest, ...(site === undefined ? {} : { 'sec-fetch-site': site }) };
    for (const path of READS) expect((await ask(door, path, { headers })).status).toBe(403);
    expect((await ask(door, '/act', { method: 'POST', headers, body: '{}' })).status).toBe(403);
    expect(heard).toEqual([]);
  },
);

test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', undefined])(
  'a write with Origin %s is refused, and so is coming in',
  async (origin) => {
    const door = await aDoor();
    const { origin: _ours, ...rest } = await tabOf(door);
    const headers = { ...rest, ...(origin === undefined ? {} : { origin }) };
    for (const path of ['/act', '/tab', '/enter'])
      expect((await ask(door, path, { method: 'POST', headers, body: '{}' })).status).toBe(403);
    expect(heard).toEqual([]);
  },
);

test('a write that a form could send, or that is too large or no object, is refused', async () => {
  const door = await aDoor();
  const headers = await tabOf(door);
  const form = { ...headers, 'content-type': 'text/plain' };
  expect((await ask(door, '/act', { method: 'POST', headers: form, body: '{}' })).status).toBe(415);
  for (const body of ['', '[]', 'null', '{"a":', JSON.stringify({ a: 'x'.repeat(17 * 1024) })])
    expect((await ask(door, '/act', { method: 'POST', headers, body })).status).toBe(400);
  expect((await ask(door, '/act', { headers })).status).toBe(405);
  expect((await ask(door, '/read', { method: 'POST', headers, body: '{}' })).status).toBe(405);
  expect(heard).toEqual([]);
});

test.each([
  '/../../etc/passwd',
  '/page.js/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//evil.example/',
  '/page.js%00',
  '/PAGE.JS',
  '*',
])('the path %s leads to nothing', async (path) => {
  expect((await ask(await aDoor(), path)).status).toBe(404);
});

test('a line break in a request makes no header of an answer', async () => {
  const door = await aDoor();
  const headers = await tabOf(door);
  const { headers: got, text } = await ask(door, '/read?of=a%0d%0aset-cookie:%20b=1', { headers });
  expect(got['set-cookie']).toBeUndefined();
  expect(JSON.parse(text)).toEqual({ of: 'a\r\nset-cookie: b=1' });
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(door.origin).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => (answer += part.toString())).on('close', () => resolve(answer));
    socket.end(`GET / HTTP/1.1\r\nHost: ${new URL(door.origin).host}\rX: evil\r\n\r\n`);
  });
  expect(raw).toMatch(/^HTTP\/1\.1 400 /);
});

test('every answer forbids what the page does not need, also a refusal', async () => {
  const door = await aDoor();
  for (const path of ['/', '/nothing', '/read']) {
    const { headers } = await ask(door, path);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|\*|http/);
  }
});

test('it listens on 127.0.0.1 alone', async () => {
  const { hostname, port } = new URL((await aDoor()).origin);
  expect(hostname).toBe('127.0.0.1');
  // What listens on all addresses listens on these, too.
  const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const host of ['127.0.0.2', '::1', ...others.map(({ address }) => address)])
    if (host !== '127.0.0.1') expect([host, await opens(host, Number(port))]).toEqual([host, false]);
});

function opens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const answer = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });
}

test('a tab that does not read is cut off, and what waits for it does not grow', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  let [isLeft, sent] = [false, 0];
  const stream: Inside['stream'] = async (_query, send, signal) => {
    while (!signal.aborted && sent < 200) {
      send(megabyte);
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    isLeft = signal.aborted;
  };
  const door = await aDoor({ inside: { ...INSIDE, stream } });
  const headers = await tabOf(door);
  const { port } = new URL(door.origin);
  const ended = new Promise<void>((resolve) => {
    const asked = requestTo({ host: '127.0.0.1', port, path: '/stream', headers }, (response) => {
      response.pause();
      response.on('error', () => resolve()).on('close', () => resolve());
      // Reads what has come once it is cut off.
      void eventually(async () => isLeft || undefined).then(() => response.resume());
    });
    asked.on('error', () => resolve()).end();
  });
  await ended;
  expect(isLeft).toBe(true);
  expect(sent).toBeLessThan(100);
});

test('it ends when no page asks for anything any more', async () => {
  const door = await aDoor({ idleMs: 1 });
  expect(await door.ended).toBe('idle');
  await expect(ask(door, '/')).rejects.toThrow();
});

test('the key of a tab opens no other tab', async () => {
  const door = await aDoor();
  const headers = await tabOf(door);
  expect((await ask(door, '/tab', { method: 'POST', headers, body: '{}' })).status).toBe(403);
});

test('what goes wrong inside ends the request, and not the dashboard', async () => {
  const read = async () => {
    throw new Error('a fault');
  };
  const door = await aDoor({ inside: { ...INSIDE, read } });
  const headers = await tabOf(door);
  await expect(ask(door, '/read', { headers })).rejects.toThrow();
  expect((await ask(door, '/')).status).toBe(200);
});
