// How an agent asks the site's Prometheus: where the site's admin says that it is, forced into the namespace
// of the Capp, bounded, without a redirect. Here a server of ours answers in the form that Prometheus
// documents; test/e2e/capp/metrics.test.ts asks a real one.
import { eventually } from '../../../testbed/eventually.ts';
import {
  besidePrometheus,
  measureAt,
  says,
  scalar,
  vector,
  type QueryAsked,
  type StandInPrometheus,
} from '../../support/servers/site/stand-in-prometheus.ts';

let prometheus: StandInPrometheus;
besidePrometheus((given) => (prometheus = given));

const measure = (asking?: QueryAsked) => measureAt(prometheus, asking);

test('Prometheus is asked for series of the namespace alone, below the address that the admin has set', async () => {
  prometheus.reply = says(200, vector('0.25'));
  const config = { prometheus: { url: `${prometheus.address}/thanos/` } };
  expect(await measure({ config, query: 'errors{capp="{{name}}"}' })).toEqual({
    is: 'Successful',
    says: 'result 0.25',
  });
  expect(prometheus.asked).toHaveLength(1);
  expect(prometheus.asked[0]).toMatchObject({ method: 'GET', authorization: undefined });
  expect(prometheus.asked[0]?.url.pathname).toBe('/thanos/api/v1/query');
  expect(Object.fromEntries(prometheus.asked[0]?.url.searchParams ?? [])).toEqual({
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
  prometheus.reply = says(200, body);
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
      prometheus.reply = says(200, body);
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
  prometheus.reply = says(status, body);
  const { is, says: said } = await measure({ empty: 'Successful' });
  expect(is).toBe('Error');
  expect(said).toMatch(why);
  expect(said).not.toContain('secret');
});

test('no redirect is followed', async () => {
  prometheus.reply = says(302, '', { location: `${prometheus.address}/api/v1/admin` });
  expect(await measure()).toEqual({ is: 'Error', says: 'Prometheus answered with status 302' });
  expect(prometheus.asked).toHaveLength(1);
});

test('of an answer without an end no more is read than is bounded', async () => {
  let isClosed = false;
  prometheus.reply = (_, response) => {
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
  expect(prometheus.asked).toEqual([]);
});

test('a question that is withdrawn ends', async () => {
  const ending = new AbortController();
  prometheus.reply = () => ending.abort(new Error('withdrawn'));
  await expect(measure({ signal: ending.signal })).rejects.toThrow('withdrawn');
});

test('nobody who answers is an error that names no address', async () => {
  const config = { prometheus: { url: 'http://127.0.0.1:1' } };
  expect(await measure({ config })).toEqual({
    is: 'Error',
    says: 'Prometheus did not answer (ECONNREFUSED)',
  });
});
