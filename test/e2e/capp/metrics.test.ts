// Checks by queries, asked of a real Prometheus: what they measure, and that no way of writing a query leads
// out of the namespace. Prometheus' own parser says the same of each.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { measureMetrics } from '../../../activities/agent/verify/query.ts';
import { confined } from '../../../crds/verification/promql/confine.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { servePrometheus, type Prometheus } from '../../../testbed/programs/prometheus.ts';

const CAPP = { namespace: 'apps', name: 'shop' };

let prometheus: Prometheus;

/** Series with these values and labels, without anybody who would have to be scraped. */
const records = [
  ['http_errors', 'vector(0.001)', { namespace: 'apps', capp: 'shop', pod: 'a' }],
  ['http_errors', 'vector(0.004)', { namespace: 'apps', capp: 'shop', pod: 'b' }],
  ['http_errors', 'vector(7)', { namespace: 'other', capp: 'shop', pod: 'c' }],
  ['payments', 'vector(1000)', { namespace: 'other', instance: 'i', job: 'j' }],
  ['target_info', 'vector(1)', { namespace: 'other', instance: 'i', job: 'j' }],
  ['unnamed', 'vector(1)', { namespace: '' }],
  ['never', 'vector(0) / 0', { namespace: 'apps' }],
] as const;

beforeAll(async () => {
  const rules = records.map(([record, expr, labels]) => ({ record, expr, labels }));
  const config = { global: { evaluation_interval: '1s' } };
  prometheus = await servePrometheus(config, { groups: [{ name: 'series', rules } as never] });
  await eventually(async () => {
    const found = await prometheus.query('count({__name__=~"http_errors|payments|never|unnamed"})');
    return found[0]?.value[1] === '6' || undefined;
  });
}, 120_000);
afterAll(() => prometheus?.stop());

function measure(
  query: string,
  expected = 'result < 0.01',
  empty: 'Inconclusive' | 'Failed' = 'Inconclusive',
) {
  const site = { config: { prometheus: { url: prometheus.url } }, folder: null };
  const asked = { ...CAPP, metrics: { query, empty }, expect: expected };
  return measureMetrics(site, asked, new AbortController().signal);
}

test.each<[string, string, string, string]>([
  ['sum(http_errors{capp="{{name}}"})', 'result < 0.01', 'Successful', 'result 0.005'],
  ['http_errors', 'result < 0.01', 'Successful', '2 results, 0.001 to 0.004'],
  ['http_errors', 'result < 0.002', 'Failed', '2 results, 0.001 to 0.004'],
  ['max(http_errors) > 1', 'result < 0.01', 'Inconclusive', 'no result'],
  ['never', 'result < 0.01', 'Inconclusive', 'result NaN'],
  ['sum(payments) or vector(0)', 'result == 0', 'Successful', 'result 0'],
  ['scalar(sum(http_errors))', 'result < 0.01', 'Successful', 'result 0.005'],
  ['rate(http_errors)', 'result < 0.01', 'Error', 'Prometheus answered with status 400'],
  [
    'http_errors[5m]',
    'result < 0.01',
    'Error',
    'the query gives no numbers: let it give a number, or samples with one each',
  ],
])('%s, of which %s is expected, is %s: %s', async (query, expected, is, says) => {
  expect(await measure(query, expected)).toEqual({ is, says });
});

/** Each reads something of others where nothing is forced upon it. */
test.each([
  'payments',
  'payments{namespace="other"}',
  'payments{namespace=~".*"}',
  'payments{namespace!="apps"}',
  '{__name__=~"pay.*"}',
  '{__name__="payments",namespace=~"other|apps"}',
  'unnamed',
  'unnamed{namespace=""}',
  'payments or payments',
  'sum by (namespace) (payments)',
  'label_replace(payments, "namespace", "apps", "", "")',
  'payments offset 0s',
  'max_over_time(payments[5m])',
  '-payments',
  'count_values("value", payments)',
  'topk(1, payments)',
  'payments * on (instance) group_left () payments',
  'absent_over_time(nothing[5m]) * on () group_right () payments',
])('%s reads nothing of another namespace', async (query) => {
  expect(await prometheus.query(query)).not.toEqual([]);
  expect(await measure(query, 'result > 0')).toEqual({ is: 'Inconclusive', says: 'no result' });
});

const promtool = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(toolPath('promtool'), ['--experimental', 'promql', ...args])).stdout.trim();

/** Whatever stands in front of its first dash is no option. */
test.each([
  'sum by (pod) (rate(http_errors{capp="shop"}[5m])) / on (pod) group_left (node) sum by (pod) (up)',
  'SUM(a) WITHOUT (b,) > bool 1 or vector(0) unless on () c',
  'a-b*c^2%d',
  'histogram_quantile(0.9, sum by (le) (rate({__name__=~"x.*"}[1h30m] offset 1d)))',
  "label_replace(a{b='c'}, 'namespace', '$1', 'd', '(.*)') and ignoring (e) f offset -5m",
  'absent({a="b"}) + time() - 1.5e-3 * .5 >= -inf',
  'quantile(0.5, a) == count_values("v", b) by (c)',
  'a{b=~"} or c{"} != d{e!~"# x"}',
])('Prometheus itself reads %s as confined as it is written', async (query) => {
  const found = confined(query, CAPP);
  if ('fault' in found) throw new Error(found.fault);
  const own = await promtool('label-matchers', 'set', '--', query, 'namespace', 'apps');
  expect(await promtool('format', '--', found.query)).toBe(await promtool('format', '--', own));
});
