// What a site may answer about checks: counts and a few measurements, bounded; anything else is no answer.
import { defaultPayloadConverter } from '@temporalio/common';
import { readResult } from '../../../gateway/calls/answers.ts';
import { readChecked } from '../../../workflows/parse/verification.ts';

const figures = { name: 'answers', successful: 1, failed: 0, inconclusive: 0, errors: 0, last: [] };

test('what an agent counts is read, with nothing beside it', () => {
  const given = { figures: [{ ...figures, more: 1 }], verdict: 'Passed', stamp: 'another' };
  expect(readChecked(given)).toEqual({ figures: [figures] });
});

test.each<[string, unknown]>([
  ['null', null],
  ['a verdict alone', { verdict: 'Passed' }],
  [
    'too many checks',
    { figures: Array.from({ length: 6 }, (_, index) => ({ ...figures, name: `c${index}` })) },
  ],
  ['one check twice', { figures: [figures, figures] }],
  ['half a measurement', { figures: [{ ...figures, successful: 0.5 }] }],
  ['less than none', { figures: [{ ...figures, failed: -1 }] }],
  ['more than anybody could count', { figures: [{ ...figures, successful: 1e9 }] }],
  ['a name of an object', { figures: [{ ...figures, name: '__proto__' }] }],
  ['no list of measurements', { figures: [{ ...figures, last: null }] }],
])('%s is no answer', (_what, given) => {
  expect(readChecked(given)).toBeNull();
});

test('of measurements the last ten are kept, short and printable, and those of no kind are dropped', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({
    at,
    is: 'Failed',
    says: '\u202e\u001b[2J'.repeat(999),
  }));
  const read = readChecked({ figures: [{ ...figures, last: [...many, { at: 1, is: 'Fine', says: '' }] }] });
  expect(read?.figures[0]?.last).toHaveLength(9);
  expect(read?.figures[0]?.last[0]?.says).toMatch(/^[ -~…]{1,96}$/);
});

test.each(['verify', 'verifyMetrics'])(
  'the gateway lets through of %s what the hub reads, and that the site has no such stamp; nothing else',
  (type) => {
    const result = (value: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });
    const passed = (value: unknown): unknown =>
      defaultPayloadConverter.fromPayload(readResult(type, result(value)));
    expect(passed({ figures: [figures], verdict: 'Passed' })).toEqual({ figures: [figures] });
    expect(passed(null)).toBeNull();
    expect(() => readResult(type, result({ verdict: 'Passed' }))).toThrow(`${type} cannot be read`);
  },
);
