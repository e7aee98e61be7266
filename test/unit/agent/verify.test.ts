// How an agent checks an app: under the name of its route, through the site's ingress, here a server of ours
// on the loopback; bounded, without a redirect, and about exactly the stamp that it was asked about.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGENT_TIMES } from '../../../activities/agent/times.ts';
import { places } from '../../../activities/agent/verify/places.ts';
import { runChecks } from '../../../activities/agent/verify/run.ts';
import { verified } from '../../../activities/agent/verify/verify.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { LONGEST_REQUEST_MS, type Check } from '../../../workflows/types/verification.ts';
import { aCapp } from '../../support/builders/capps.ts';

const STAMP = 'uid-1/1/hash/one';
const REF = { namespace: 'apps', name: 'app' };

let server: Server;
let asked: { host: string | undefined; url: string | undefined; method: string | undefined }[] = [];
let reply: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ host: request.headers.host, url: request.url, method: request.method });
    reply(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const says =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, headers);
    response.end(body);
  };

const aCheck = (plain: Partial<Check> = {}): Check => ({
  name: 'answers',
  path: '/healthz',
  expect: 'status == 200',
  intervalMs: 1,
  count: 3,
  failureLimit: 0,
  inconclusiveLimit: 1,
  ...plain,
});

function onSite(plain: { stamp?: string; url?: string; hostname?: string; mapped?: string } = {}): Capp {
  const { stamp = STAMP, url = 'http://app.apps.site-1.example', hostname, mapped } = plain;
  const capp = aCapp({ annotations: { [ROLLOUT]: stamp } });
  return {
    ...capp,
    spec: { ...capp.spec, ...(hostname === undefined ? {} : { routeSpec: { hostname } }) },
    status: {
      knativeObjectStatus: { url },
      ...(mapped === undefined ? {} : { routeStatus: { domainMappingObjectStatus: { url: mapped } } }),
    },
  };
}

interface Around {
  readonly capp?: () => Capp | null;
  readonly ingress?: string | null;
  readonly signal?: AbortSignal;
}

function check(checks: readonly Check[], { capp = onSite, ingress, signal }: Around = {}) {
  const { port } = server.address() as AddressInfo;
  const http = ingress === undefined ? `127.0.0.1:${port}` : ingress;
  const get = (() => Promise.resolve(null)) as Kube['get'];
  const site = { get: () => capp() ?? undefined, read: () => Promise.resolve(capp()) };
  const options = {
    kube: { get },
    site,
    ingress: { http, https: null },
    prometheusKey: null,
    atOnce: places(5, 5),
    atPrometheus: places(5, 5),
  };
  return verified(options, REF, { stamp: STAMP, checks }, signal ?? new AbortController().signal);
}

const first = async (checks: readonly Check[], around?: Around) => (await check(checks, around))?.figures[0];

test('the app is asked under the name of its route, as its users ask', async () => {
  reply = says(200, 'ok');
  expect(await first([aCheck()])).toMatchObject({ successful: 3, failed: 0, errors: 0 });
  expect(asked).toEqual(
    Array.from({ length: 3 }, () => ({ host: 'app.apps.site-1.example', url: '/healthz', method: 'GET' })),
  );
});

test('of a Capp with a hostname, the hostname is asked for, once the site answers for it', async () => {
  reply = says(200);
  const capp = () => onSite({ hostname: 'shop', mapped: 'http://shop.example' });
  await first([aCheck({ count: 1 })], { capp });
  expect(asked.map(({ host }) => host)).toEqual(['shop.example']);
  const unmapped = () => onSite({ hostname: 'shop' });
  expect(await first([aCheck({ count: 1 })], { capp: unmapped })).toMatchObject({ errors: 1, successful: 0 });
  expect(asked).toHaveLength(1);
});

test('an app that answers 500 has failed at the first measurement beyond the limit', async () => {
  reply = says(500);
  const figures = await first([aCheck({ failureLimit: 1, count: 50 })]);
  expect(figures).toMatchObject({ failed: 2, successful: 0 });
  expect(figures?.last.at(-1)).toMatchObject({ is: 'Failed', says: 'status 500' });
});

test('no redirect is followed', async () => {
  reply = says(302, '', { location: 'http://127.0.0.1:1/secret' });
  expect(await first([aCheck({ count: 1 })])).toMatchObject({ failed: 1 });
  expect(asked).toHaveLength(1);
  expect(await first([aCheck({ count: 1, expect: 'status == 302' })])).toMatchObject({ successful: 1 });
});

test('a path that looks like an address stays a path of the app', async () => {
  reply = says(200);
  await first([aCheck({ count: 1, path: '//elsewhere.example/' })]);
  await first([aCheck({ count: 1, path: '/@elsewhere.example:80/' })]);
  expect(asked.map(({ host, url }) => [host, url])).toEqual([
    ['app.apps.site-1.example', '//elsewhere.example/'],
    ['app.apps.site-1.example', '/@elsewhere.example:80/'],
  ]);
});

test('of a body without an end so much is read as is bounded, and what may come behind it nobody knows', async () => {
  reply = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(32_768)), 1);
    response.on('close', () => clearInterval(timer));
  };
  const figures = await first([aCheck({ count: 1, expect: "body.contains('ok')" })]);
  expect(figures).toMatchObject({ inconclusive: 1, successful: 0, failed: 0 });
});

test('an app that changes the protocol is an error, and holds no place of the agent', async () => {
  reply = (_, response) =>
    void response.socket?.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    );
  expect(await first([aCheck({ inconclusiveLimit: 1, count: 50 })])).toMatchObject({ errors: 2, failed: 0 });
});

test('nobody who answers is an error, and no failure of the app', async () => {
  const figures = await first([aCheck({ inconclusiveLimit: 1, count: 50 })], { ingress: '127.0.0.1:1' });
  expect(figures).toMatchObject({ errors: 2, failed: 0 });
  expect(figures?.last.at(-1)?.says).toBe('the ingress did not answer (ECONNREFUSED)');
});

test('where the ingress is not known, nothing is asked', async () => {
  const figures = await first([aCheck({ count: 1 })], { ingress: null });
  expect(figures?.last[0]?.says).toContain('dnsConfig.cname');
  expect(asked).toEqual([]);
});

test('one check that fails stops the others', async () => {
  reply = ({ url }, response) => says(url === '/bad' ? 500 : 200)({} as IncomingMessage, response);
  const slow = aCheck({ name: 'slow', intervalMs: 3_600_000, count: 2 });
  const checked = await check([slow, aCheck({ name: 'bad', path: '/bad' })]);
  expect(checked?.figures.map(({ name, successful, failed }) => [name, successful, failed])).toEqual([
    ['slow', 1, 0],
    ['bad', 0, 1],
  ]);
});

test('another stamp is not checked at all', async () => {
  expect(await check([aCheck()], { capp: () => onSite({ stamp: 'uid-1/2/hash/one' }) })).toBeNull();
  expect(await check([aCheck()], { capp: () => null })).toBeNull();
  expect(asked).toEqual([]);
});

test('a Capp that changes while it is checked makes all that was counted worth nothing', async () => {
  let stamp = STAMP;
  reply = (request, response) => {
    if (asked.length === 2) stamp = 'uid-1/2/hash/one';
    says(200)(request, response);
  };
  // Also with its last answer.
  expect(await check([aCheck({ count: 2 })], { capp: () => onSite({ stamp }) })).toBeNull();
  expect(asked).toHaveLength(2);
});

test('a question that is withdrawn ends, and makes no further request', async () => {
  const ending = new AbortController();
  reply = (request, response) => {
    ending.abort(new Error('withdrawn'));
    says(200)(request, response);
  };
  await expect(check([aCheck({ intervalMs: 60_000 })], { signal: ending.signal })).rejects.toThrow();
  expect(asked).toHaveLength(1);
});

test('a check is measured at its interval, whatever a measurement takes', async () => {
  const pauses: number[] = [];
  let now = 0;
  await runChecks(
    [aCheck({ intervalMs: 10_000, count: 3 })],
    {
      now: () => now,
      before: [],
      onCounted: () => undefined,
      pause: (ms) => Promise.resolve(void pauses.push(ms)),
      measure: () => {
        now += 4_000;
        return Promise.resolve({ at: now, is: 'Successful', says: '' });
      },
    },
    new AbortController().signal,
  );
  expect(pauses).toEqual([6_000, 6_000]);
});

test('a request takes as long as the hub waits for it', () => {
  expect(AGENT_TIMES.verifyRequest.ms).toBe(LONGEST_REQUEST_MS);
});
