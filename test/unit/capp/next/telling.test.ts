// The time at which a status was decided, by which the hub recognises an older status that arrives late.
import { telling } from '../../../../workflows/capp/conditions/publication.ts';
import { aState, NOW } from '../../../support/builders/states.ts';

test('the first status carries the time at which it was decided', () => {
  expect(telling(aState(), NOW).statusDecidedAt).toBe(NOW);
});

test.each([
  ['in the same millisecond', NOW],
  ['after the clock was set back', NOW - 60_000],
])('a status that is decided %s still carries a later time', (_, now) => {
  const first = telling(aState(), NOW);
  expect(telling(first, now).statusDecidedAt).toBe(NOW + 1);
  expect(telling(telling(first, now), now).statusDecidedAt).toBe(NOW + 2);
});
