// Which trial Placements a plan takes away before its own.
import { isLeft } from '../../../../cli/hub/acts/trial-placement.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['2026-03-01T11:55:00Z', true],
  ['2026-03-01T11:55:01Z', false],
  ['2026-03-01T12:00:09Z', false],
])('one of %s is left by a command that was killed: %s', (creationTimestamp, left) => {
  expect(isLeft({ metadata: { name: 'capp-plan-1', creationTimestamp } }, NOW)).toBe(left);
});
