// The language in which a check says what it expects: two words, and nothing is evaluated.
import { isExpectation, isMet } from '../../../crds/verification/expect.ts';

const answer = (status: number, body = '', isCut = false) => ({ status, body, isCut });

test.each([
  ['status == 200', answer(200), true],
  ['status == 200', answer(302), false],
  ['status != 500', answer(200), true],
  ['status >= 200 && status < 300', answer(299), true],
  ['status >= 200 && status < 300', answer(300), false],
  ['status <= 200', answer(201), false],
  ['status > 199', answer(200), true],
  ["body.contains('ok')", answer(500, 'all ok'), true],
  ["status == 200 && body.contains('ok')", answer(200, 'ko'), false],
  ["!body.contains('error')", answer(200, 'fine'), true],
  ["!body.contains('error')", answer(200, 'an error'), false],
  ["body.contains('status == 500')", answer(200, 'status == 500'), true],
  ["body.contains('a && b')", answer(200, 'a && b'), true],
])('%s of %j is %s', (expectation, given, met) => {
  expect(isMet(expectation, given)).toBe(met);
});

test.each(["body.contains('ok')", "!body.contains('ok')"])(
  'nobody knows whether %s of a body that was not read to its end',
  (expectation) => {
    expect(isMet(expectation, answer(200, 'x', true))).toBeNull();
  },
);

test('a text that was found is there, however long the body is, and a status that is wrong is wrong', () => {
  expect(isMet("body.contains('ok')", answer(200, 'ok', true))).toBe(true);
  expect(isMet("status == 200 && body.contains('no')", answer(500, 'x', true))).toBe(false);
});

test.each([
  '',
  'true',
  'status',
  'status == 2000',
  'status = 200',
  'status == 200 || status == 201',
  'process.exit(1)',
  "body.contains('it's')",
  "body.matches('x')",
  'status == 200 && ',
  `body.contains('${'x'.repeat(101)}')`,
  Array.from({ length: 40 }, () => 'status == 200').join(' && '),
])('%s is no expectation, and is never met', (text) => {
  expect(isExpectation(text)).toBe(false);
  expect(isMet(text, answer(200, 'ok'))).toBe(false);
});
