// What may be asked of an app, and the refusals that name the field and the remedy.
import { VerifyCheck, travelling, verifyList } from '../../../crds/verification/check.ts';

const check = (plain: object = {}) => ({ name: 'answers', http: { path: '/healthz' }, ...plain });

test('everything but the name and the path has a default', () => {
  expect(travelling([VerifyCheck.parse(check())])).toEqual([
    {
      name: 'answers',
      path: '/healthz',
      expect: 'status >= 200 && status < 300',
      intervalMs: 10_000,
      count: 3,
      failureLimit: 0,
      inconclusiveLimit: 1,
    },
  ]);
});

test.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [5, 1],
  [9, 3],
  [100, 3],
])('of %i measurements %i may come to nothing, if the check does not say how many', (count, expected) => {
  const sent = (plain: object) => travelling([VerifyCheck.parse(check({ count, ...plain }))])[0];
  expect(sent({})?.inconclusiveLimit).toBe(expected);
  // Also one that no new object may have: what is there is read as it is.
  expect(sent({ inconclusiveLimit: 100 - 1 })?.inconclusiveLimit).toBe(99);
});

test('a query travels as it was written, with what nothing is', () => {
  const [sent] = travelling([
    VerifyCheck.parse({ name: 'errors', prometheus: { query: 'errors' }, expect: 'result < 0.01' }),
  ]);
  expect(sent).toMatchObject({
    metrics: { query: 'errors', empty: 'Inconclusive' },
    expect: 'result < 0.01',
  });
  expect(sent).not.toHaveProperty('path');
});

test.each<[string, object, string, RegExp]>([
  [
    'an address',
    { http: { path: 'http://elsewhere/' } },
    'http.path',
    /must be a path that begins with "\/"/,
  ],
  ['a path with a line break', { http: { path: '/a\r\nhost: b' } }, 'http.path', /without spaces/],
  [
    'another language',
    { http: { path: '/', expect: 'status == 200 || true' } },
    'http.expect',
    /joined by &&/,
  ],
  ['no way at all', { http: undefined }, '', /exactly one of http and prometheus/],
  [
    'two ways',
    { prometheus: { query: 'up' }, expect: 'result < 1' },
    '',
    /exactly one of http and prometheus/,
  ],
  ['an expectation of a result without a query', { expect: 'result < 1' }, 'expect', /inside of http/],
  [
    'a query without an expectation',
    { http: undefined, prometheus: { query: 'up' } },
    'expect',
    /beside prometheus/,
  ],
  [
    'a query of which a status is expected',
    { http: undefined, prometheus: { query: 'up' }, expect: 'status == 200' },
    'expect',
    /such as result < 0\.01/,
  ],
  ['no interval', { interval: 'soon' }, 'interval', /such as 10s or 1m/],
  ['too many measurements', { count: 101 }, 'count', /from 1 to 100/],
  ['more than an hour', { interval: '1m', count: 61 }, 'count', /an hour at most: lower/],
  ['a check that cannot fail', { failureLimit: 3 }, 'failureLimit', /could never fail: lower it/],
])('%s is refused', (_what, plain, field, message) => {
  const given = Object.entries(check(plain)).filter(([, value]) => value !== undefined);
  const parsed = VerifyCheck.safeParse(Object.fromEntries(given));
  expect(parsed.success).toBe(false);
  const issues = parsed.error?.issues ?? [];
  expect(issues.map(({ path }) => path.join('.'))).toContain(field);
  expect(issues.map((issue) => issue.message).join()).toMatch(message);
});

test('five checks at most', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => check({ name: `c${index}` }));
  expect(verifyList().safeParse(many(5)).success).toBe(true);
  expect(verifyList().safeParse(many(6)).success).toBe(false);
});
