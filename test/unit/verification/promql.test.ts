// Queries of checks read series of the Capp's own namespace alone, whatever is written in them.
import { confined, LONGEST_QUERY, queryFault } from '../../../crds/verification/promql/confine.ts';
import { random } from '../../support/builders/random.ts';

const CAPP = { namespace: 'apps', name: 'shop' };
const asked = (query: string): unknown => confined(query, CAPP);

test.each([
  ['up', 'up{namespace="apps"}'],
  ['up{}', 'up{namespace="apps"}'],
  ['{__name__=~".+"}', '{__name__=~".+",namespace="apps"}'],
  ['{}', '{namespace="apps"}'],
  ['up{job="a",}', 'up{job="a",namespace="apps"}'],
  ["up{job='a'}", 'up{job="a",namespace="apps"}'],
  // All conditions of a selector have to hold, so none of these leads out.
  ['up{namespace="other"}', 'up{namespace="other",namespace="apps"}'],
  ['up{namespace=~".*"}', 'up{namespace=~".*",namespace="apps"}'],
  ['up{namespace!="apps"}', 'up{namespace!="apps",namespace="apps"}'],
  ['up{namespace=""}', 'up{namespace="",namespace="apps"}'],
  ['a or b', 'a{namespace="apps"} or b{namespace="apps"}'],
  ['a OR b UNLESS c', 'a{namespace="apps"} or b{namespace="apps"} unless c{namespace="apps"}'],
  ['a-b', 'a{namespace="apps"} - b{namespace="apps"}'],
  ['rate(a[5m])', 'rate(a{namespace="apps"}[5m])'],
  ['rate(a[1h30m] offset 1d)', 'rate(a{namespace="apps"}[1h30m] offset 1d)'],
  ['a offset -5m', 'a{namespace="apps"} offset -5m'],
  ['SUM BY (pod,) (a)', 'sum by (pod) (a{namespace="apps"})'],
  ['sum(a) without (pod)', 'sum(a{namespace="apps"}) without (pod)'],
  ['topk(3, a)', 'topk(3, a{namespace="apps"})'],
  [
    'a / on (pod) group_left (node) b',
    'a{namespace="apps"} / on (pod) group_left (node) b{namespace="apps"}',
  ],
  [
    'a * ignoring(pod) group_right b',
    'a{namespace="apps"} * ignoring (pod) group_right () b{namespace="apps"}',
  ],
  ['a > bool 1', 'a{namespace="apps"} > bool 1'],
  ['sum(a) or vector(0)', 'sum(a{namespace="apps"}) or vector(0)'],
  ['-a ^ 2', '-a{namespace="apps"} ^ 2'],
  ['1.5e-3 + .5', '1.5e-3 + .5'],
  [
    'label_replace(a, "namespace", "other", "", "")',
    'label_replace(a{namespace="apps"}, "namespace", "other", "", "")',
  ],
  ['absent(a{b="c"})', 'absent(a{b="c",namespace="apps"})'],
  ['a{b="} or c{"}', 'a{b="} or c{",namespace="apps"}'],
  ['a{b="# x"}', 'a{b="# x",namespace="apps"}'],
  [
    'histogram_quantile(0.9, sum by (le) (rate(a[5m])))',
    'histogram_quantile(0.9, sum by (le) (rate(a{namespace="apps"}[5m])))',
  ],
  ['a{capp="{{name}}",namespace="{{namespace}}"}', 'a{capp="shop",namespace="apps",namespace="apps"}'],
  ['a{pod=~"{{name}}-.*"}', 'a{pod=~"shop-.*",namespace="apps"}'],
])('%s asks for %s', (query, confinedQuery) => {
  expect(asked(query)).toEqual({ query: confinedQuery });
  expect(queryFault(query)).toBeNull();
});

test.each<[string, RegExp]>([
  ['', /ends too early/],
  ['a[5m:1m]', /leave subqueries out/],
  ['a[5m:]', /leave subqueries out/],
  ['rate(a[5m])[1h:1m]', /leave subqueries out/],
  ['(a)[1h:1m]', /leave subqueries out/],
  ['max_over_time(sum(a)[1h:1m])', /leave subqueries out/],
  ['sum(a) by (b)[1h:1m]', /cannot be read/],
  ['a @ 1609746000', /leave @ out/],
  ['a @ start()', /leave @ out/],
  ['info(a)', /no function/],
  ['info(a, {__name__=~".+"})', /no function/],
  ['WITH (x = b) x', /no function/],
  ['limitk(3, a)', /word of PromQL|no function/],
  ['constructor(a)', /no function/],
  ['a{b="c" or namespace="other"}', /cannot be read from "or"/],
  ['{"a"}', /cannot be read/],
  ['{"a", namespace="other"}', /cannot be read/],
  ['{"name.space"="other"}', /cannot be read/],
  ['a{b="c"}{namespace="other"}', /cannot be read/],
  ['a b', /cannot be read/],
  ['a # or b', /leave comments out/],
  ['a{b="c\\"} or d{e=\\""}', /no backslash/],
  ['a{b=\'"} or d{e="\'}', /no backslash|closed/],
  ['a{b=`c`}', /double quotes/],
  ['a{b="c', /closed/],
  ['a{b="\n"}', /printable/],
  ['a{b="\u202e"}', /printable/],
  ['a{b="\u2028"}', /printable/],
  ['métrique', /cannot be read/],
  ['ａ', /cannot be read/],
  ['a\u00a0or b', /cannot be read/],
  ['a\u0000', /cannot be read/],
  ['a[2d]', /a day at most/],
  ['a[1w]', /a day at most/],
  ['a offset 8d', /a week at most/],
  ['a[5]', /such as 5m/],
  ['a[5m', /is missing/],
  ['sum', /is missing/],
  ['or', /word of PromQL/],
  ['Offset', /word of PromQL/],
  ['a + + b + by', /word of PromQL/],
  ['0x10', /cannot be read/],
  ['1m', /cannot be read/],
  ['"a"', /cannot be read/],
  ['a{:b="c"}', /cannot be read/],
  ['a{b}', /cannot be read/],
  ['a{{name}}', /cannot be read/],
  ['a{b="{{site}}"}', /placeholders are/],
  ['a{b="{{label:x}}"}', /placeholders are/],
  ['a{b="{{uid}}"}', /placeholders are/],
  ['a+b+c+d+e+f+g+h+i', /more than 8 metrics/],
  ['('.repeat(500), /nested too deeply/],
  [`${'sum('.repeat(21)}a${')'.repeat(21)}`, /nested too deeply/],
  ['-'.repeat(1_000), /cannot be read/],
  [`a${' '.repeat(LONGEST_QUERY)}`, /make it shorter/],
])('%j is not asked', (query, why) => {
  expect(asked(query)).toEqual({ fault: expect.stringMatching(why) });
});

test('what a set fills in, and nothing else does, is a fault where it is still there', () => {
  for (const other of ['site', 'label:topology/zone', 'cluster'])
    expect(queryFault(`a{site="{{${other}}}"}`)).toMatch(/placeholders are/);
});

test.each(['apps"', 'apps"} or {a="', '', 'a b', 'A'])(
  'a namespace called %j is asked nothing',
  (namespace) => {
    expect(confined('a', { namespace, name: 'shop' })).toEqual({ fault: expect.any(String) });
    expect(confined('a', { namespace: 'apps', name: namespace })).toEqual({ fault: expect.any(String) });
  },
);

const WORDS_AND_SIGNS =
  'a b:c up sum rate or by on offset bool group_left info nan 5m 1d 0.5 namespace namespace="other" "x" \'y\' `z` " \' {{name}} ( ) { } [ ] , = == =~ != + - * > @ # : \\';
const PIECES = [...WORDS_AND_SIGNS.split(' '), ' ', '\n'];

const LISTS = /\b(?:by|without|on|ignoring|group_left|group_right) \([^()]*\)/g;
const WORDS: ReadonlySet<string> = new Set(['sum', 'rate', 'or', 'bool', 'offset', 'nan', 'd', 'm']);

/** The names in a query that select series, and have nothing in braces behind them. */
function unconfined(query: string): readonly string[] {
  const bare = query
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replaceAll(LISTS, '');
  const names = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?![\w:{])/g)].map(([name]) => name);
  return names.filter((name) => !WORDS.has(name));
}

test('of ten thousand queries of any pieces, none that is asked has a selector without the namespace', () => {
  const dice = random(110);
  let asks = 0;
  for (let round = 0; round < 10_000; round += 1) {
    const pieces = Array.from({ length: 1 + Math.floor(dice.next() * 9) }, () => dice.pick(PIECES));
    const found = confined(pieces.join(dice.chance(0.5) ? ' ' : ''), CAPP);
    if ('fault' in found) continue;
    asks += 1;
    for (const braces of found.query.match(/\{[^}]*\}/g) ?? []) expect(braces).toContain('namespace="apps"}');
    expect(unconfined(found.query)).toEqual([]);
    // Written once more it stays as it is, but for the namespace that is added again.
    expect(confined(found.query, CAPP)).toEqual({
      query: found.query.replaceAll('namespace="apps"}', 'namespace="apps",namespace="apps"}'),
    });
  }
  expect(asks).toBeGreaterThan(100);
});
