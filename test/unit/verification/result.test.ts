// What a check expects of numbers: one word, and nothing is evaluated.
import { isResultMet } from '../../../crds/verification/result.ts';

test.each<[string, number, boolean]>([
  ['result < 0.01', 0.009, true],
  ['result < 0.01', 0.01, false],
  ['result >= -1.5 && result <= 2', -1.5, true],
  ['result >= -1.5 && result <= 2', 3, false],
  ['result == 0', 0, true],
  ['result != 0', 0, false],
  ['result > 1', Number.POSITIVE_INFINITY, true],
  ['result < 1', Number.NEGATIVE_INFINITY, true],
  ['result != 0', Number.NaN, false],
  ['', 0, false],
  ['result', 1, false],
  ['result == 1 || result == 2', 1, false],
  ['status == 200', 200, false],
  ['result < 1e9', 1, false],
  ['result < 1; true', 0, false],
  [Array.from({ length: 20 }, () => 'result < 1').join(' && '), 0, false],
])('%s of %d is %s', (expectation, result, met) => {
  expect(isResultMet(expectation, result)).toBe(met);
});
