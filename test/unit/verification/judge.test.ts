// What follows from figures: nothing becomes a success by being absent, whatever a site says.
import {
  judge,
  nothingMeasured,
  unmeasured,
  withMeasurement,
  type Check,
  type Figures,
  type OutcomeKind,
} from '../../../workflows/types/verification.ts';

const aCheck = (plain: Partial<Check> = {}): Check => ({
  name: 'answers',
  path: '/healthz',
  expect: 'status == 200',
  intervalMs: 1_000,
  count: 5,
  failureLimit: 1,
  inconclusiveLimit: 2,
  ...plain,
});

const counted = (plain: Partial<Figures>): Figures => ({ ...nothingMeasured('answers'), ...plain });

const verdictOn = (...given: readonly Figures[]) =>
  judge({ key: 'k', checks: [aCheck()] }, 'site-1', given, 0);

test.each<[string, Partial<Figures>, string]>([
  ['all were successful', { successful: 5 }, 'Passed'],
  ['one failed, as may be', { successful: 4, failed: 1 }, 'Passed'],
  ['one more failed than may', { successful: 3, failed: 2 }, 'Failed'],
  ['it failed before all were made', { failed: 2 }, 'Failed'],
  ['as many came to nothing as may', { successful: 3, errors: 1, inconclusive: 1 }, 'Passed'],
  ['one more came to nothing', { successful: 2, errors: 2, inconclusive: 1 }, 'Inconclusive'],
  ['all were errors', { errors: 5 }, 'Inconclusive'],
  ['too few were made', { successful: 4 }, 'Inconclusive'],
  ['none was made', {}, 'Inconclusive'],
])('%s', (_what, plain, verdict) => {
  expect(verdictOn(counted(plain)).verdict).toBe(verdict);
});

test('without a success there is none, even where all may come to nothing', () => {
  const check = aCheck({ count: 1, failureLimit: 0, inconclusiveLimit: 3 });
  const order = { key: 'k', checks: [check] };
  expect(judge(order, 'site-1', [counted({ errors: 1 })], 0).verdict).toBe('Inconclusive');
});

test('a check that the site leaves out was not made, and one that nobody asked for counts for nothing', () => {
  expect(verdictOn().verdict).toBe('Inconclusive');
  expect(verdictOn(counted({ name: 'other', successful: 5 })).verdict).toBe('Inconclusive');
});

test('no check at all is no success', () => {
  expect(judge({ key: 'k', checks: [] }, 'site-1', [], 0).verdict).toBe('Inconclusive');
});

test('one check that has failed decides, and those that were stopped say so', () => {
  const order = { key: 'k', checks: [aCheck(), aCheck({ name: 'second' })] };
  const said = judge(
    order,
    'site-1',
    [counted({ failed: 2 }), counted({ name: 'second', successful: 1 })],
    0,
  );
  expect(said.verdict).toBe('Failed');
  expect(said.checks.map(({ is }) => is)).toEqual(['Failed', 'Stopped']);
});

test('what failed is said with the check, the site, the figures, the limit and the time', () => {
  const last = [{ at: Date.parse('2026-03-01T12:00:05Z'), is: 'Failed' as const, says: 'status 500' }];
  expect(verdictOn(counted({ successful: 1, failed: 2, last })).says).toBe(
    'Check answers failed on site-1: 1 of 3 measurements were successful, 2 failed (failureLimit 1), 0 came to nothing (inconclusiveLimit 2); the last at 2026-03-01T12:00:05Z: status 500, where status == 200 is expected.',
  );
});

test('nobody who measured is no verdict', () => {
  const said = unmeasured({ key: 'k', checks: [aCheck()] }, 'site-1', 'its agent did not answer.', 0);
  expect([said.verdict, said.says]).toEqual([
    'Inconclusive',
    'Nothing was measured on site-1: its agent did not answer.',
  ]);
});

test('ten measurements are kept, and failed ones longest', () => {
  const kinds: OutcomeKind[] = ['Failed', ...Array<OutcomeKind>(12).fill('Successful'), 'Error'];
  const figures = kinds.reduce(
    (before, is, at) => withMeasurement(before, { at, is, says: '' }),
    nothingMeasured('answers'),
  );
  expect(figures.last).toHaveLength(10);
  expect(figures.last.map(({ is }) => is)).toContain('Failed');
  expect(figures.last.at(-1)?.is).toBe('Error');
  expect(figures).toMatchObject({ successful: 12, failed: 1, errors: 1 });
});
