// The way to a site: one for all who ask, and never more of the site at the same time than it may cost.
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Kube } from '../../../kube/client.ts';
import { counts, MOST_BYTES_OF_LOOK, MOST_LOGS, MOST_LOOKS } from '../../../reach/bounds.ts';
import { logOf, TooManyLogs } from '../../../reach/site/log.ts';
import { ways, type Way, type Ways } from '../../../reach/site/way.ts';
import { issue } from '../../../tls/certificate.ts';
import { eventually } from '../../../testbed/eventually.ts';

let server: Server;
let all: Ways;
const waiting: ServerResponse[] = [];
const asked: string[] = [];
let hubCalls = 0;

beforeAll(async () => {
  const { cert, key, authority } = await issue(['127.0.0.1'], Date.now());
  server = createServer({ cert, key }, (request, response) => {
    asked.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    if (request.url?.endsWith('/long') === true)
      return response.end(JSON.stringify('x'.repeat(MOST_BYTES_OF_LOOK)));
    return waiting.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const hub = {
    getMetadata: async () => {
      hubCalls += 1;
      return {};
    },
    get: async () => ({ data: { token: Buffer.from('t').toString('base64') } }),
  } as unknown as Kube;
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  all = ways(hub, { url, ca: () => Promise.resolve(authority) });
});
afterAll(async () => {
  server?.closeAllConnections();
  await all?.close();
  await new Promise((resolve) => server?.close(resolve));
});

async function wayTo(site: string): Promise<Way> {
  const found = await all.to(site);
  if (found.is === 'none') throw new Error(found.why);
  return found.way;
}

test('who asks for a site at the same moment gets the same way, and its token is remembered', async () => {
  const [one, two] = await Promise.all([wayTo('site-1'), wayTo('site-1')]);
  expect(one).toBe(two);
  const before = hubCalls;
  expect(await wayTo('site-1')).toBe(one);
  expect(hubCalls).toBe(before);
});

test('a body of a site is read so far and no further', async () => {
  const { kube } = await wayTo('site-1');
  const answer = await kube.raw('GET', '/long').then(
    () => 'all of it',
    (error: unknown) => error,
  );
  expect(answer).toMatchObject({ code: 0, reason: 'TooLong' });
  expect(asked).toContain('/site-1/long Bearer t');
});

test('so many looks are made at the same time, and the others wait', async () => {
  const { kube } = await wayTo('site-2');
  const ending = new AbortController();
  const looks = Array.from({ length: MOST_LOOKS + 3 }, (_, index) =>
    kube.raw('GET', `/${index}`, { signal: ending.signal }).catch(() => null),
  );
  await eventually(() => (waiting.length >= MOST_LOOKS ? true : undefined));
  // Long enough for the others to have come.
  const other = await wayTo('site-1');
  for (let turn = 0; turn < 5; turn += 1) await other.kube.raw('GET', '/long').catch(() => null);
  expect(waiting).toHaveLength(MOST_LOOKS);
  waiting[0]?.end('{}');
  await eventually(() => (waiting.length > MOST_LOOKS ? true : undefined));
  ending.abort();
  await Promise.all(looks);
});

test('so many logs of a site are open, and a place is given back when one ends', async () => {
  const transport = {
    open: async () => [],
    deadlineMs: 1,
    send: async () => ({}),
    close: async () => undefined,
  };
  const way = { transport, logs: counts(1) } as unknown as Way;
  const source = { pod: 'a', container: 'app', id: '1', hasEnded: false };
  const read = (): AsyncGenerator<string> =>
    logOf(
      way,
      source,
      { namespace: 'apps', follow: false, sinceTime: null },
      { signal: new AbortController().signal, meter: { left: 100 } },
    );
  const place = way.logs.take('');
  await expect(read().next()).rejects.toBeInstanceOf(TooManyLogs);
  place?.();
  for (let turn = 0; turn < 3; turn += 1) expect(await read().next()).toMatchObject({ done: true });
});

test('so many logs of all sites are open, a few of each site whatever the others hold, and what one gives back another may take', async () => {
  const sites = await Promise.all(['site-3', 'site-4', 'site-5', 'site-6'].map(wayTo));
  const { reserved, ofSite, ofAll } = MOST_LOGS;
  const [last, ...greedy] = sites.toReversed();
  const fill = ({ logs }: Way) => Array.from({ length: 2 * ofSite }, () => logs.take(''));
  const places = greedy.flatMap(fill).filter((one) => one !== null);
  expect(places).toHaveLength(ofAll + greedy.length * reserved);
  const own = fill(last as Way).filter((one) => one !== null);
  expect(own).toHaveLength(reserved);
  places.at(-1)?.();
  const again = last?.logs.take('');
  expect(again).not.toBeNull();
  again?.();
  for (const giveBack of [...places.slice(0, -1), ...own]) giveBack();
});
