// How an agent asks the site's Prometheus: where the site's admin says that it is, forced into the namespace
// of the Capp, bounded, without a redirect. Here a server of ours answers in the form that Prometheus
// documents; test/e2e/capp/metrics.test.ts asks a real one.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureMetrics } from '../../../activities/agent/verify/query.ts';
import { prometheusIn } from '../../../activities/agent/verify/prometheus.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { authority, writeAuthority } from '../../support/builders/authority.ts';
import { issue } from '../../../tls/certificate.ts';

let server: Server;
let asked: { url: URL; authorization: string | undefined; method: string | undefined }[] = [];
let reply: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
let folder = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://prometheus');
    asked.push({ url, authorization: request.headers.authorization, method: request.method });
    reply(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  asked = [];
  folder = await mkdtemp(join(tmpdir(), 'cappstan-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const says =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const vector = (...values: readonly string[]) => ({
  status: 'success',
  data: {
    resultType: 'vector',
    result: values.map((value) => ({ metric: { secret: 'label' }, value: [1_700_000_000.1, value] })),
  },
});
const scalar = (value: string) => ({ status: 'success', data: { resultType: 'scalar', result: [1, value] } });

interface Asking {
  readonly query?: string;
  readonly empty?: 'Inconclusive' | 'Failed' | 'Successful';
  readonly expect?: string;
  readonly config?: unknown;
  readonly signal?: AbortSignal;
}

function measure(asking: Asking = {}) {
  const { query = 'errors', empty = 'Inconclusive', expect: expected = 'result < 0.5', config } = asking;
  const given = { namespace: 'apps', name: 'shop', metrics: { query, empty }, expect: expected };
  const site = { config: config ?? { prometheus: { url: address() } }, folder };
  return measureMetrics(site, given, asking.signal ?? new AbortController().signal);
}

test('Prometheus is asked for series of the namespace alone, below the address that the admin has set', async () => {
  reply = says(200, vector('0.25'));
  const config = { prometheus: { url: `${address()}/thanos/` } };
  expect(await measure({ config, query: 'errors{capp="{{name}}"}' })).toEqual({
    is: 'Successful',
    says: 'result 0.25',
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ method: 'GET', authorization: undefined });
  expect(asked[0]?.url.pathname).toBe('/thanos/api/v1/query');
  expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({
    query: 'errors{capp="shop",namespace="apps"}',
    timeout: '5000ms',
    partial_response: 'false',
  });
});

test.each<[string, unknown, string, string]>([
  ['a number', scalar('0.1'), 'Successful', 'result 0.1'],
  ['one sample', vector('0.123456789'), 'Successful', 'result 0.123457'],
  ['one that is not so', vector('0.5'), 'Failed', 'result 0.5'],
  ['several that all are so', vector('0.1', '0.4'), 'Successful', '2 results, 0.1 to 0.4'],
  ['several of which one is not so', vector('0.1', '7', '0.2'), 'Failed', '3 results, 0.1 to 7'],
  ['no end', vector('+Inf'), 'Failed', 'result Infinity'],
  ['one NaN beside one that is not so', vector('NaN', '7'), 'Failed', '2 results, 7 to 7, and NaN'],
])('%s is measured', async (_what, body, is, said) => {
  reply = says(200, body);
  // Not by what nothing would be.
  expect(await measure({ empty: 'Inconclusive' })).toEqual({ is, says: said });
});

test.each(['Inconclusive', 'Failed', 'Successful'] as const)(
  'nothing, NaN, and NaN beside what is so, are %s if empty says so',
  async (empty) => {
    for (const [body, said] of [
      [vector(), 'no result'],
      [vector('NaN'), 'result NaN'],
      [scalar('NaN'), 'result NaN'],
      [vector('NaN', 'NaN'), '2 results, NaN'],
      [vector('NaN', '0.1'), '2 results, 0.1 to 0.1, and NaN'],
    ] as const) {
      reply = says(200, body);
      expect(await measure({ empty })).toEqual({ is: empty, says: said });
    }
  },
);

test.each<[string, number, unknown, RegExp]>([
  ['a query that Prometheus refuses', 400, { status: 'error', error: 'of secrets' }, /status 400$/],
  ['one that takes too long', 503, { status: 'error' }, /status 503$/],
  ['a failure with status 200', 200, { status: 'error' }, /cannot be read$/],
  ['text', 200, 'hello', /cannot be read$/],
  ['nothing', 200, '', /cannot be read$/],
  ['null', 200, 'null', /cannot be read$/],
  ['series', 200, { status: 'success', data: { resultType: 'matrix', result: [] } }, /gives no numbers/],
  ['a text', 200, { status: 'success', data: { resultType: 'string', result: [1, '0.1'] } }, /no numbers/],
  [
    'a histogram',
    200,
    { status: 'success', data: { resultType: 'vector', result: [{ metric: {}, histogram: [1, {}] }] } },
    /no numbers/,
  ],
  ['what is no number', 200, vector('0x1'), /no numbers/],
  ['samples without a list', 200, { status: 'success', data: { resultType: 'vector' } }, /cannot be read/],
])('%s is an error, whatever empty says', async (_what, status, body, why) => {
  reply = says(status, body);
  const { is, says: said } = await measure({ empty: 'Successful' });
  expect(is).toBe('Error');
  expect(said).toMatch(why);
  expect(said).not.toContain('secret');
});

test('no redirect is followed', async () => {
  reply = says(302, '', { location: `${address()}/api/v1/admin` });
  expect(await measure()).toEqual({ is: 'Error', says: 'Prometheus answered with status 302' });
  expect(asked).toHaveLength(1);
});

test('of an answer without an end no more is read than is bounded', async () => {
  let isClosed = false;
  reply = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '.repeat(32_768)), 1);
    response.on('close', () => {
      clearInterval(timer);
      isClosed = true;
    });
  };
  expect(await measure()).toMatchObject({ is: 'Error', says: expect.stringContaining('64 KiB') });
  await eventually(() => isClosed || undefined);
});

test('a query that is none, or leads elsewhere, is not asked', async () => {
  expect(await measure({ query: 'a{b="c" or d="e"}' })).toMatchObject({
    is: 'Error',
    says: expect.stringContaining('the query is not asked'),
  });
  expect(asked).toEqual([]);
});

test.each<[string, unknown, RegExp]>([
  ['no CappConfig', null, /prometheus\.url in its CappConfig/],
  ['no address', {}, /prometheus\.url in its CappConfig/],
  ['no object', { prometheus: null }, /prometheus\.url in its CappConfig/],
  ['a word', { prometheus: { url: 'prometheus' } }, /no address/],
  ['a number', { prometheus: { url: 9_090 } }, /no address/],
  ['a file', { prometheus: { url: 'file:///etc/passwd' } }, /no address/],
  ['a user', { prometheus: { url: 'https://user:password@prometheus' } }, /no address/],
  ['a query of its own', { prometheus: { url: 'https://prometheus/?query=up' } }, /no address/],
])('with %s nothing is asked', (_what, config, why) => {
  const found = prometheusIn(config, { url: null, authorization: null });
  expect(found).toMatch(why);
  expect(found).not.toContain('password@');
});

test('the address in the Secret comes before that of the CappConfig', () => {
  const key = { url: 'https://[::1]:9091/', authorization: 'Bearer a-token' };
  const place = { host: '::1', port: 9091, isTls: true, prefix: '' };
  for (const config of [{}, { prometheus: { url: 'https://other' } }])
    expect(prometheusIn(config, key)).toEqual(place);
  expect(prometheusIn({}, { ...key, url: 'prometheus' })).toMatch(/url of the Secret .* no address/);
});

test('credentials go nowhere by the word of a CappConfig', async () => {
  await writeFile(join(folder, 'token'), 'a-token\n');
  const config = { prometheus: { url: address().replace('http:', 'https:') } };
  for (const one of [config, { prometheus: { url: address() } }])
    expect(await measure({ config: one })).toEqual({
      is: 'Error',
      says: 'credentials go to the address in their Secret alone: set its key url',
    });
  expect(asked).toEqual([]);
});

test('credentials are never sent without TLS', async () => {
  await writeFile(join(folder, 'token'), 'a-token\n');
  await writeFile(join(folder, 'url'), `${address()}\n`);
  expect(await measure()).toMatchObject({ is: 'Error', says: expect.stringContaining('TLS alone') });
  expect(asked).toEqual([]);
});

test('over TLS the certificate is judged, and the credentials are read anew for each query', async () => {
  const pair = await issue(['localhost'], Date.now());
  const seen: (string | undefined)[] = [];
  const secure = createSecure(pair, (request, response) => {
    seen.push(request.headers.authorization);
    says(200, vector('0.1'))(request, response);
  });
  await new Promise<void>((resolve) => void secure.listen(0, '127.0.0.1', resolve));
  const { port } = secure.address() as AddressInfo;
  const config = { prometheus: { url: 'https://localhost:1' } };
  await writeFile(join(folder, 'url'), `https://localhost:${port}`);
  await writeFile(join(folder, 'token'), 'a-token\n');
  expect(await measure({ config })).toMatchObject({
    is: 'Error',
    says: expect.stringContaining('did not answer'),
  });
  await writeFile(join(folder, 'ca.crt'), pair.authority);
  expect(await measure({ config })).toMatchObject({ is: 'Successful' });
  await rm(join(folder, 'token'));
  await writeFile(join(folder, 'username'), 'reader');
  await writeFile(join(folder, 'password'), 'a-password\n');
  expect(await measure({ config })).toMatchObject({ is: 'Successful' });
  expect(seen).toEqual(['Bearer a-token', `Basic ${Buffer.from('reader:a-password').toString('base64')}`]);
  secure.closeAllConnections();
  secure.close();
});

test('an authority in the middle of a chain is enough as ca.crt, and another of the same root is none', async () => {
  const root = await authority('root');
  const issuing = await authority('issuing', { by: root });
  const other = await authority('other', { by: root });
  const pki = await openPki(join(folder, 'pki'), {
    authority: await writeAuthority(folder, 'issuing', issuing),
  });
  const { cert, key } = await pki.issue('server', { name: 'server', hosts: ['localhost'] });
  const pair = { cert: readFileSync(cert), key: readFileSync(key) };
  const secure = createSecure(pair, says(200, vector('0.1')));
  await new Promise<void>((resolve) => void secure.listen(0, '127.0.0.1', resolve));
  await writeFile(join(folder, 'url'), `https://localhost:${(secure.address() as AddressInfo).port}`);
  const answers: string[] = [];
  for (const one of [issuing, root, other]) {
    const { cert: ca } = await writeAuthority(folder, 'trusted', one);
    await writeFile(join(folder, 'ca.crt'), readFileSync(ca));
    answers.push((await measure({ config: {} })).is);
  }
  secure.closeAllConnections();
  secure.close();
  expect(answers).toEqual(['Successful', 'Successful', 'Error']);
});

test('a question that is withdrawn ends', async () => {
  const ending = new AbortController();
  reply = () => ending.abort(new Error('withdrawn'));
  await expect(measure({ signal: ending.signal })).rejects.toThrow('withdrawn');
});

test('nobody who answers is an error that names no address', async () => {
  const config = { prometheus: { url: 'http://127.0.0.1:1' } };
  expect(await measure({ config })).toEqual({
    is: 'Error',
    says: 'Prometheus did not answer (ECONNREFUSED)',
  });
});
