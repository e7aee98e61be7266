// Durations are read as Go reads them.
import { secondsOf } from '../../../crds/knative/go-duration.ts';

test.each([
  ['1h', 3600],
  ['1m30s', 90],
  ['0s', 0],
  ['500ms', 0.5],
  ['soon', Number.NaN],
  ['', Number.NaN],
  ['1h soon', Number.NaN],
  ['.9h', 3240],
  ['+59m', 3540],
  ['-1s', -1],
  ['1.s', 1],
  ['.s', Number.NaN],
  ['1', Number.NaN],
  ['0', 0],
  ['1500\u00B5s', 0.0015],
  ['1500\u03BCs', 0.0015],
  ['3000000000ns', 3],
  ['9223372036854775808ns', Number.NaN],
])('the duration "%s" has %d seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});
