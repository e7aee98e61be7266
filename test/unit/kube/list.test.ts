// Objects are as large as tenants and sites make them: no page of a list is longer than a process has room
// for, and of each object only what is kept stays until the list is whole.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { transportTo, type Transport } from '../../../kube/http/transport.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { listAll } from '../../../kube/watch/list.ts';

const THING: Resource = { apiVersion: 'test.example/v1', kind: 'Thing', plural: 'things', namespaced: true };
type Thing = KubeObject & { readonly text?: string };

let server: Server;
let transport: Transport;
/** What the server has, how many objects were asked for, and how many page tokens have expired by then. */
let things: Thing[] = [];
let asked: number[] = [];
let expiring = 0;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const query = new URL(url, 'http://x').searchParams;
    const from = Number(query.get('continue') ?? 0);
    const limit = Number(query.get('limit') ?? Infinity);
    asked.push(limit);
    response.setHeader('content-type', 'application/json');
    if (from > 0 && asked.length > 4 && expiring > 0) {
      expiring -= 1;
      return void response
        .writeHead(410)
        .end(JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired' }));
    }
    const next = from + limit < things.length ? { continue: `${from + limit}` } : {};
    const metadata = { resourceVersion: '7', ...next };
    response.end(JSON.stringify({ metadata, items: things.slice(from, from + limit) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = async () => ({ headers: {}, tls: {} });
  transport = transportTo(
    { context: 'x', namespace: null, origin, root: '', proxyUrl: null, credentials },
    { deadlineMs: 60_000, userAgent: 'test' },
  );
});
afterAll(async () => {
  await transport?.close();
  await new Promise((resolve) => server?.close(resolve));
});
beforeEach(() => {
  [asked, expiring] = [[], 0];
});

const MEBIBYTE = 1_048_576;
const made = (count: number, bytes: number): Thing[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { namespace: 'apps', name: `thing-${index}` },
    text: 'x'.repeat(bytes),
  }));
const names = ({ items }: { readonly items: readonly Thing[] }): string[] =>
  items.map(({ metadata }) => metadata.name);

test('small objects come in pages of 500', async () => {
  things = made(1_200, 100);
  expect(names(await listAll<Thing>(transport, THING))).toEqual(names({ items: things }));
  expect(asked).toEqual([500, 500, 500]);
});

test('of large objects fewer are asked for, none is missed, and none comes twice', async () => {
  things = made(40, MEBIBYTE);
  const found = await listAll<Thing>(transport, THING, { keep: ({ metadata }) => ({ metadata }) });
  expect(names(found)).toEqual(names({ items: things }));
  expect(found.resourceVersion).toBe('7');
  expect(asked.slice(0, 4)).toEqual([500, 125, 32, 8]);
  expect(Math.max(...asked.slice(4))).toBeLessThanOrEqual(8);
});

test('an object that is larger than a page is a page of its own', async () => {
  things = [...made(1, 9 * MEBIBYTE), ...made(3, 100)];
  expect((await listAll<Thing>(transport, THING)).items).toHaveLength(4);
});

test('a few large objects at its beginning do not make the rest of a list slow', async () => {
  things = [...made(24, MEBIBYTE), ...made(3_000, 100)];
  const found = await listAll<Thing>(transport, THING, { keep: ({ metadata }) => ({ metadata }) });
  expect(found.items).toHaveLength(3_024);
  expect(asked.length).toBeLessThan(50);
  expect(asked.at(-1)).toBe(500);
});

test('a list of large objects whose page token expires begins again, and never asks for all at once', async () => {
  things = made(40, MEBIBYTE);
  expiring = 2;
  const found = await listAll<Thing>(transport, THING, { keep: ({ metadata }) => ({ metadata }) });
  expect(names(found)).toEqual(names({ items: things }));
  expect(expiring).toBe(0);
  expect(Math.max(...asked.slice(4))).toBeLessThanOrEqual(8);
});

test('a list whose page tokens expire again and again ends with that', async () => {
  things = made(2_000, 100);
  [asked, expiring] = [[0, 0, 0, 0], Infinity];
  await expect(listAll<Thing>(transport, THING)).rejects.toMatchObject({ code: 410 });
  expect(asked.slice(4)).toEqual([500, 500, 500, 500, 500, 500, 500, 500]);
});

test('a page is no longer than the caller allows, and a call gets nothing but what is meant for it', async () => {
  things = made(3, 600);
  const seen: object[] = [];
  const spying: Transport = {
    ...transport,
    send: (request, options = {}) => {
      seen.push(options);
      return transport.send(request, options);
    },
  };
  const options = { mostBytes: 1_000, labelSelector: 'a=b', deadlineMs: 9_000 };
  expect((await listAll<Thing>(spying, THING, options)).items).toHaveLength(3);
  expect(asked).toEqual([500, 125, 32, 8, 2, 1, 1, 1]);
  for (const one of seen) {
    expect(one).toMatchObject({ mostBytes: 1_000, deadlineMs: 9_000 });
    expect(one).not.toHaveProperty('labelSelector');
  }
});

test('of each object only what is kept stays', async () => {
  things = made(3, 100);
  const { items } = await listAll<Thing>(transport, THING, { keep: ({ metadata }) => ({ metadata }) });
  expect(items).toEqual(things.map(({ metadata }) => ({ metadata, apiVersion: undefined, kind: undefined })));
});
