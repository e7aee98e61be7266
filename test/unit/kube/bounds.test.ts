// A server that is not trusted: its answers and its refusals have bounds.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { transportTo, type Transport } from '../../../kube/http/transport.ts';

let server: Server;
let transport: Transport;
const answers: Record<string, (response: ServerResponse) => void> = {
  '/fits': (response) => response.end(JSON.stringify({ text: 'x'.repeat(900) })),
  '/long': (response) => response.end(JSON.stringify({ text: 'x'.repeat(1_100) })),
  '/endless': (response) => goOn(response.writeHead(200)),
  '/refused': (response) => goOn(response.writeHead(403)),
  '/unauthorized': (response) => goOn(response.writeHead(401)),
  '/silent': (response) => response.writeHead(403).flushHeaders(),
};

function goOn(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'.repeat(500)), 1);
  response.once('close', () => clearInterval(timer));
}

beforeAll(async () => {
  server = createServer((request, response) => answers[request.url ?? '']?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let reads = 0;
  const credentials = async () => ({ headers: { authorization: `Bearer ${(reads += 1)}` }, tls: {} });
  transport = transportTo(
    { context: 'x', namespace: null, origin, root: '', proxyUrl: null, credentials },
    { deadlineMs: 1_000, userAgent: 'test', mostBytes: 1_000, callsAtOnce: 2 },
  );
});
afterAll(async () => {
  await transport?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

const ask = (path: string): Promise<unknown> => transport.send({ method: 'GET', path });
const open = (path: string): Promise<unknown> =>
  transport.open({ method: 'GET', path }, { signal: new AbortController().signal, idleMs: 60_000 });

test('what fits is an answer, and what is longer is none', async () => {
  expect(await ask('/fits')).toMatchObject({ text: expect.any(String) as string });
  for (const path of ['/long', '/endless'])
    await expect(ask(path)).rejects.toMatchObject({ code: 0, reason: 'TooLong' });
});

test('the bound of a call narrows that of its server, and never widens it', async () => {
  const within = (path: string, mostBytes: number): Promise<unknown> =>
    transport.send({ method: 'GET', path }, { mostBytes });
  for (const [path, most] of [
    ['/long', 100_000],
    ['/fits', 500],
  ] as const)
    await expect(within(path, most)).rejects.toMatchObject({ code: 0, reason: 'TooLong' });
  expect(await within('/fits', 100_000)).toMatchObject({ text: expect.any(String) as string });
});

test.each(['/refused', '/silent', '/unauthorized'])(
  'a refusal that never ends is a refusal: %s',
  async (path) => {
    const code = path === '/unauthorized' ? 401 : 403;
    await expect(open(path)).rejects.toMatchObject({ code });
  },
  20_000,
);

test('connections that were left are not used up', async () => {
  for (let turn = 0; turn < 5; turn += 1) await ask('/endless').catch(() => undefined);
  expect(await ask('/fits')).toMatchObject({ text: expect.any(String) as string });
});
