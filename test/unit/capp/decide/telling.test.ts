// The time of what users are told, by which an older word is known.
import { telling } from '../../../../workflows/capp/decide/publication.ts';
import { aState, NOW } from '../../../support/builders/states.ts';

test('the first word has the time at which it is decided', () => {
  expect(telling(aState(), NOW).statusDecidedAt).toBe(NOW);
});

test.each([
  ['in the same moment', NOW],
  ['by a clock that was set back', NOW - 60_000],
])('another word %s is later all the same', (_, now) => {
  const first = telling(aState(), NOW);
  expect(telling(first, now).statusDecidedAt).toBe(NOW + 1);
  expect(telling(telling(first, now), now).statusDecidedAt).toBe(NOW + 2);
});
